#include "nn/projected_loss.h"

#include <algorithm>
#include <cmath>

#include "nn/gaussian_scores.h"

namespace nouq {
namespace {

LikelihoodScore score_of(LossKind kind, double mean, double variance, double y) {
  if (kind == LossKind::gaussian_nll) return likelihood_score(mean, variance, y);
  const double sigma = std::sqrt(variance);
  const CrpsScore score = crps_score(mean, sigma, y);
  return {score.value, score.by_mean, score.by_sigma / (2.0 * sigma)};
}

// Where the mean of value i is among the outputs; its raw variance is `channels` further.
Index mean_column(Index i, Index channels) { return i / channels * 2 * channels + i % channels; }

template <class T>
double gaussian(const Loss& loss, const FieldRows& rows, const double* values, const T* outputs,
                const T* targets, Index points, T* gradient, ProjectionScratch& s) {
  const Index channels = loss.channels, size = points * channels;
  for (auto* buffer : {&s.mean, &s.variance, &s.fields, &s.moved}) buffer->resize(size);
  double *mean = s.mean.data(), *variance = s.variance.data();
  double *by_mean = s.fields.data(), *by_variance = s.moved.data();
  for (Index i = 0; i < size; ++i) {
    mean[i] = by_mean[i] = static_cast<double>(outputs[mean_column(i, channels)]);
    variance[i] = by_variance[i] =
        softplus(static_cast<double>(outputs[mean_column(i, channels) + channels]));
  }
  project_gaussian(rows, values, by_mean, by_variance);
  const double factor = loss.kind == LossKind::gaussian_crps ? 1.0 / target_size(targets, size) : 1.0;
  double total = 0;
  // From here on the two hold the gradient by what they held before.
  for (Index i = 0; i < size; ++i) {
    const LikelihoodScore score =
        score_of(loss.kind, by_mean[i], by_variance[i], static_cast<double>(targets[i]));
    total += score.value;
    by_mean[i] = factor * score.by_mean;
    by_variance[i] = factor * score.by_variance;
  }
  if (gradient == nullptr) return factor * total;
  project_gaussian_adjoint(rows, values, mean, variance, by_mean, by_variance);
  for (Index i = 0; i < size; ++i) {
    const Index at = mean_column(i, channels);
    gradient[at] = static_cast<T>(by_mean[i]);
    gradient[at + channels] =
        static_cast<T>(by_variance[i] * softplus_derivative(static_cast<double>(outputs[at + channels])));
  }
  return factor * total;
}

// Columns of outputs ([points][heads][channels]) and fields one after another ([heads][points][channels]).
template <class From, class To>
void to_fields(const Loss& loss, Index points, const From* columns, To* fields) {
  for (Index m = 0; m < loss.heads; ++m) {
    for (Index p = 0; p < points; ++p) {
      for (Index c = 0; c < loss.channels; ++c)
        *fields++ = static_cast<To>(columns[(p * loss.heads + m) * loss.channels + c]);
    }
  }
}

template <class From, class To>
void to_columns(const Loss& loss, Index points, const From* fields, To* columns) {
  for (Index m = 0; m < loss.heads; ++m) {
    for (Index p = 0; p < points; ++p) {
      for (Index c = 0; c < loss.channels; ++c)
        columns[(p * loss.heads + m) * loss.channels + c] = static_cast<To>(*fields++);
    }
  }
}

template <class T>
double of_heads(const Loss& loss, const FieldRows& rows, const double* values, const T* outputs,
                const T* targets, Index points, T* gradient, ProjectionScratch& s) {
  const Heads heads{loss.heads, points * loss.channels};
  const Index all = heads.count * heads.size;
  for (auto* buffer : {&s.fields, &s.moved, &s.columns, &s.column_gradient}) buffer->resize(all);
  for (auto* buffer : {&s.mean, &s.variance, &s.targets}) buffer->resize(heads.size);
  to_fields(loss, points, outputs, s.fields.data());
  std::copy(s.fields.begin(), s.fields.end(), s.moved.begin());
  head_moments(heads, s.fields.data(), s.mean.data(), s.variance.data());
  project_heads(rows, values, heads, s.variance.data(), s.moved.data());
  to_columns(loss, points, s.moved.data(), s.columns.data());
  std::transform(targets, targets + heads.size, s.targets.begin(),
                 [](T value) { return static_cast<double>(value); });
  const double value = sample_loss(loss, s.columns.data(), s.targets.data(), points,
                                   gradient == nullptr ? nullptr : s.column_gradient.data());
  if (gradient == nullptr) return value;
  s.work.resize(2 * heads.count);
  to_fields(loss, points, s.column_gradient.data(), s.moved.data());
  project_heads_adjoint(rows, values, heads, s.fields.data(), s.mean.data(), s.variance.data(),
                        s.moved.data(), s.work.data());
  to_columns(loss, points, s.moved.data(), gradient);
  return value;
}

}  // namespace

template <class T>
double projected_loss(const Loss& loss, const FieldRows& rows, const double* values, const T* outputs,
                      const T* targets, Index points, T* gradient, ProjectionScratch& scratch) {
  return loss.gaussian() ? gaussian(loss, rows, values, outputs, targets, points, gradient, scratch)
                         : of_heads(loss, rows, values, outputs, targets, points, gradient, scratch);
}

template double projected_loss(const Loss&, const FieldRows&, const double*, const float*, const float*,
                               Index, float*, ProjectionScratch&);
template double projected_loss(const Loss&, const FieldRows&, const double*, const double*, const double*,
                               Index, double*, ProjectionScratch&);

}  // namespace nouq
