#include "nn/loss.h"

#include <cmath>

#include "core/error.h"
#include "nn/gaussian_scores.h"

namespace nouq {
namespace {

template <class T>
double square_sum(const T* values, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return sum;
}

// One head: the squared norm of its residual, and the residual itself into `gradient`.
template <class T>
double residual(const Loss& loss, Index head, const T* outputs, const T* targets, Index points, T* gradient) {
  const Index columns = loss.columns();
  double sum = 0;
  for (Index p = 0; p < points; ++p) {
    for (Index c = 0; c < loss.channels; ++c) {
      const Index i = p * columns + head * loss.channels + c;
      const T difference = outputs[i] - targets[p * loss.channels + c];
      sum += static_cast<double>(difference) * static_cast<double>(difference);
      if (gradient) gradient[i] = difference;
    }
  }
  return sum;
}

template <class T>
void scale_head(const Loss& loss, Index head, Index points, double factor, T* gradient) {
  for (Index p = 0; p < points; ++p) {
    for (Index c = 0; c < loss.channels; ++c) {
      gradient[p * loss.columns() + head * loss.channels + c] *= static_cast<T>(factor);
    }
  }
}

template <class T>
double relative_loss(const Loss& loss, const T* outputs, const T* targets, Index points, T* gradient) {
  const double target = square_sum(targets, points * loss.channels);
  require(target > 0.0, "its target is zero everywhere, so a relative error is not defined");
  const bool squared = loss.kind == LossKind::relative_l2_squared;
  const auto heads = static_cast<double>(loss.heads);
  double total = 0;
  for (Index head = 0; head < loss.heads; ++head) {
    const double error = residual(loss, head, outputs, targets, points, gradient);
    const double norms = std::sqrt(error) * std::sqrt(target);
    total += (squared ? error / target : std::sqrt(error / target)) / heads;
    if (!gradient) continue;
    // At a perfect fit the norm has no gradient; zero is the one that stays put.
    const double factor = squared ? 2.0 / target : (norms > 0.0 ? 1.0 / norms : 0.0);
    scale_head(loss, head, points, factor / heads, gradient);
  }
  return total;
}

template <class T>
double gaussian_loss(const Loss& loss, const T* outputs, const T* targets, Index points, T* gradient) {
  const Index channels = loss.channels;
  double total = 0;
  for (Index p = 0; p < points; ++p) {
    for (Index c = 0; c < channels; ++c) {
      const Index mean = p * 2 * channels + c;
      const Index raw = mean + channels;
      const LikelihoodScore score =
          likelihood_score(static_cast<double>(outputs[mean]), softplus(static_cast<double>(outputs[raw])),
                           static_cast<double>(targets[p * channels + c]));
      total += score.value;
      if (!gradient) continue;
      gradient[mean] = static_cast<T>(score.by_mean);
      gradient[raw] =
          static_cast<T>(score.by_variance * softplus_derivative(static_cast<double>(outputs[raw])));
    }
  }
  return total;
}

}  // namespace

std::string_view name(LossKind kind) {
  switch (kind) {
    case LossKind::relative_l2_squared:
      return "relative_l2_squared";
    case LossKind::gaussian_nll:
      return "gaussian_nll";
    case LossKind::gaussian_crps:
      return "gaussian_crps";
    case LossKind::heads_crps:
      return "heads_crps";
    case LossKind::fair_crps:
      return "fair_crps";
    case LossKind::relative_l2:
      break;
  }
  return "relative_l2";
}

std::string_view label(LossKind kind) {
  switch (kind) {
    case LossKind::gaussian_nll:
      return "nll";
    case LossKind::gaussian_crps:
    case LossKind::heads_crps:
      return "crps";
    case LossKind::fair_crps:
    case LossKind::relative_l2:
    case LossKind::relative_l2_squared:
      break;
  }
  return name(kind);
}

void validate(const Loss& loss, Index network_outputs) {
  require(loss.channels >= 1, "loss over {} channels: expected at least 1", loss.channels);
  require(loss.heads >= 1, "loss over {} heads: expected at least 1", loss.heads);
  require(!loss.gaussian() || loss.heads == 1, "the {} loss takes one head, got {}", name(loss.kind),
          loss.heads);
  const bool of_heads = loss.kind == LossKind::heads_crps || loss.kind == LossKind::fair_crps;
  require(!of_heads || loss.heads >= 2, "the {} loss takes 2 heads or more, got {}", name(loss.kind),
          loss.heads);
  require(loss.columns() == network_outputs, "the {} loss needs {} outputs, the network has {}",
          name(loss.kind), loss.columns(), network_outputs);
}

LikelihoodScore likelihood_score(double mean, double variance, double y) {
  const double difference = mean - y;
  return {difference * difference / variance + std::log(variance), 2.0 * difference / variance,
          1.0 / variance - difference * difference / (variance * variance)};
}

double softplus(double x) { return x > 0.0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
double softplus_derivative(double x) { return 1.0 / (1.0 + std::exp(-x)); }

template <class T>
double sample_loss(const Loss& loss, const T* outputs, const T* targets, Index points, T* gradient) {
  switch (loss.kind) {
    case LossKind::gaussian_nll:
      return gaussian_loss(loss, outputs, targets, points, gradient);
    case LossKind::gaussian_crps:
    case LossKind::heads_crps:
    case LossKind::fair_crps:
      return crps_loss(loss, outputs, targets, points, gradient);
    case LossKind::relative_l2:
    case LossKind::relative_l2_squared:
      break;
  }
  return relative_loss(loss, outputs, targets, points, gradient);
}

template double sample_loss(const Loss&, const float*, const float*, Index, float*);
template double sample_loss(const Loss&, const double*, const double*, Index, double*);

}  // namespace nouq
