#include "uq/cross_fitting.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <nouq/random.h>

#include "core/error.h"
#include "uq/predictor.h"

namespace nouq {
namespace {

constexpr Index price = 3;  // the share of the fit's own work that the short fits may cost is one in so many

std::vector<Index> others(Index samples, const std::vector<Index>& own) {
  std::vector<Index> all(samples), rest;
  std::iota(all.begin(), all.end(), 0);
  std::set_difference(all.begin(), all.end(), own.begin(), own.end(), std::back_inserter(rest));
  return rest;
}

template <class T>
Array<T> joined(const Array<T>& first, const Array<T>& second) {
  if (first.rank() == 0 || second.rank() != first.rank()) return {};
  Shape shape = first.shape();
  shape[0] += second.extent(0);
  std::vector<T> values(first.begin(), first.end());
  values.insert(values.end(), second.begin(), second.end());
  return {shape, std::move(values)};
}

// What only one of them says of its samples is not said of all.
DataSet joined(const DataSet& first, const DataSet& second) {
  DataSet all = first;
  all.inputs = joined(first.inputs, second.inputs);
  all.outputs = joined(first.outputs, second.outputs);
  const bool same = first.parameter_names == second.parameter_names;
  all.parameters = same ? joined(first.parameters, second.parameters) : Array<double>();
  if (!same) all.parameter_names.clear();
  all.constraint_values.clear();
  for (const auto& [name, values] : first.constraint_values) {
    const auto other = second.constraint_values.find(name);
    if (other != second.constraint_values.end())
      all.constraint_values[name] = joined(values, other->second);
    else
      all.laws.erase(name);
  }
  return all;
}

Prediction joined(const Prediction& first, const Prediction& second) {
  return {joined(first.mean, second.mean), joined(first.variance, second.variance),
          joined(first.samples, second.samples)};
}

// Of one sample and channel: the sum over its points of a squared number.
template <class Value>
double sum_over_points(const Array<double>& like, Index sample, Index channel, const Value& value) {
  const Index channels = like.shape().back(), size = like.size() / like.extent(0);
  double sum = 0;
  for (Index i = sample * size + channel; i < (sample + 1) * size; i += channels) sum += value(i);
  return sum;
}

double squared_error(const Prediction& p, const Array<double>& truth, Index sample, Index channel) {
  return sum_over_points(truth, sample, channel, [&](Index i) {
    const double difference = p.mean[i] - truth[i];
    return difference * difference;
  });
}

double total_variance(const Prediction& p, Index sample, Index channel) {
  return sum_over_points(p.mean, sample, channel, [&](Index i) { return p.variance[i]; });
}

struct Logarithm {
  double mean = 0;
  double error = 0;  // standard error of the mean
  std::size_t count = 0;
};

// Of the ratios of a number of the kept networks to the mean of the short fits'; where either is zero it says
// nothing.
template <class Number>
Logarithm mean_log_ratio(const Prediction& kept, const std::vector<Prediction>& shorter,
                         const Number& number) {
  std::vector<double> logs;
  for (Index s = 0; s < kept.mean.extent(0); ++s) {
    double mean = 0;
    for (const Prediction& one : shorter) mean += number(one, s) / static_cast<double>(shorter.size());
    const double ratio = number(kept, s) / mean;
    if (std::isfinite(ratio) && ratio > 0) logs.push_back(std::log(ratio));
  }
  Logarithm result{0, 0, logs.size()};
  const auto n = static_cast<double>(logs.size());
  for (const double one : logs) result.mean += one / n;
  double squares = 0;
  for (const double one : logs) squares += (one - result.mean) * (one - result.mean);
  if (logs.size() > 1) result.error = std::sqrt(squares / (n - 1) / n);
  return result;
}

// In place: mean and samples move with the error.
void resize(const Resized& by, const Array<double>& truth, Prediction& p) {
  const Index channels = truth.shape().back(), size = truth.size() / truth.extent(0);
  const Index count = p.samples.empty() ? 0 : p.samples.extent(1);
  for (Index i = 0; i < truth.size(); ++i) {
    const Index c = i % channels;
    const double before = p.mean[i];
    p.mean[i] = truth[i] + std::sqrt(by.error[c]) * (before - truth[i]);
    p.variance[i] *= by.variance[c];
    for (Index m = 0; m < count; ++m) {
      double& sample = p.samples[((i / size) * count + m) * size + i % size];
      sample = p.mean[i] + std::sqrt(by.variance[c]) * (sample - before);
    }
  }
}

}  // namespace

bool uses_cross_fitting(Index training, Index held_out, Index folds) {
  return folds > 1 && held_out < enough_held_out && training >= 2 * folds;
}

std::vector<std::vector<Index>> cross_folds(Index samples, Index folds, std::uint64_t seed) {
  const auto order = permutation(samples, Stream(seed, Purpose::split, 1));
  std::vector<std::vector<Index>> parts(folds);
  for (Index i = 0; i < samples; ++i) parts[i % folds].push_back(order[i]);
  for (auto& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

// Each of k fits sees (k - 1) / k of the samples, so an epoch of all of them is k - 1 of the fit's.
FitOptions short_fit(FitOptions options, Index folds) {
  TrainerOptions& train = options.train;
  const Index before = train.epochs;
  train.epochs = std::max<Index>(1, before / (price * (folds - 1)));
  const auto shortened = [&](Index epochs) { return epochs * train.epochs / before; };
  train.schedule.period = std::max<Index>(1, shortened(train.schedule.period));
  if (train.patience > 0) train.patience = std::max<Index>(1, shortened(train.patience));
  find_method(options.method.name).scale_epochs(options.method, shortened);
  return options;
}

CrossFitting::Fold::Fold(const FitOptions& options, const DataSet& train, const DataSet& validation,
                         std::vector<Index> own)
    : samples(std::move(own)),
      rest(select(train, others(train.size(), samples))),
      plan(options, rest, validation) {}

CrossFitting::CrossFitting(const FitOptions& options, const DataSet& train, const DataSet& validation,
                           Index folds)
    : options_(short_fit(options, folds)), train_(train), validation_(validation) {
  for (auto& samples : cross_folds(train.size(), folds, options.train.seed))
    folds_.emplace_back(options_, train, validation, std::move(samples));
}

std::vector<Training> CrossFitting::trainings() const {
  std::vector<Training> all;
  for (const Fold& fold : folds_) {
    for (const TrainerOptions& one : fold.plan.trainings)
      all.push_back({one, &fold.plan.data.train(), &fold.plan.data.validation()});
  }
  return all;
}

HeldOut CrossFitting::held_out(const Surrogate& whole, std::span<const TrainedNetwork> networks,
                               bool with_samples) const {
  const PredictOptions how{with_samples, options_.threads};
  std::vector<Index> predicted;
  Prediction of_folds;
  std::vector<Prediction> shorter;
  const std::size_t each = networks.size() / folds_.size();
  for (std::size_t f = 0; f < folds_.size(); ++f) {
    const Fold& fold = folds_[f];
    const auto own = networks.subspan(f * each, each);
    if (std::any_of(own.begin(), own.end(), [](const auto& one) { return !one.error.empty(); })) continue;
    const Surrogate surrogate = assemble(options_, fold.plan.data, fold.plan.trainings.front(), own);
    const Prediction p = predict(surrogate, select(train_, fold.samples).inputs.view(), how);
    of_folds = predicted.empty() ? p : joined(of_folds, p);
    predicted.insert(predicted.end(), fold.samples.begin(), fold.samples.end());
    shorter.push_back(predict(surrogate, validation_.inputs.view(), {false, options_.threads}));
  }
  const Prediction kept = predict(whole, validation_.inputs.view(), how);
  if (predicted.empty()) return {validation_, kept};
  const DataSet samples = select(train_, predicted);
  resize(resized(kept, shorter, truth_of(validation_)), truth_of(samples), of_folds);
  return {joined(samples, validation_), joined(of_folds, kept)};
}

Resized resized(const Prediction& kept, const std::vector<Prediction>& shorter, const Array<double>& truth) {
  Resized result;
  for (Index c = 0; c < truth.shape().back(); ++c) {
    const Logarithm errors = mean_log_ratio(
        kept, shorter, [&](const Prediction& p, Index s) { return squared_error(p, truth, s, c); });
    const Logarithm variances =
        mean_log_ratio(kept, shorter, [&](const Prediction& p, Index s) { return total_variance(p, s, c); });
    const double ratio = std::exp(errors.mean + errors.error);
    result.error.push_back(errors.count > 1 ? ratio : std::max(1.0, ratio));
    result.variance.push_back(std::exp(variances.mean));
  }
  return result;
}

std::optional<HeldOut> cross_fit(const CrossFitting& plan, const Surrogate& whole, bool with_samples,
                                 FitObserver* observer) {
  TrainingsOptions options = trainings_options(plan.options());
  options.tolerate_divergence = true;
  const auto networks = run_trainings(plan.trainings(), options, observer);
  if (!networks) return std::nullopt;
  if (!leads(ranks())) return HeldOut{};
  return plan.held_out(whole, *networks, with_samples);
}

}  // namespace nouq
