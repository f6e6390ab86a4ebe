#include "api/edge_selection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "metrics/metric.h"
#include "physics/evaluation.h"
#include "physics/law_sizing.h"
#include "uq/predictor.h"

namespace nouq {
namespace {

constexpr Index edge_share = 5;  // one training sample in so many

struct Range {
  double low, high;
};

std::vector<Range> parameter_ranges(const DataSet& train) {
  const Index columns = train.parameters.extent(1);
  std::vector<Range> ranges;
  for (Index c = 0; c < columns; ++c) ranges.push_back({train.parameters[c], train.parameters[c]});
  for (Index i = 0; i < train.parameters.size(); ++i) {
    Range& range = ranges[i % columns];
    range = {std::min(range.low, train.parameters[i]), std::max(range.high, train.parameters[i])};
  }
  return ranges;
}

double by_parameters(const DataSet& data, const std::vector<Range>& ranges, Index sample) {
  double farthest = 0;
  for (std::size_t c = 0; c < ranges.size(); ++c) {
    const auto [low, high] = ranges[c];
    const double value = data.parameters[sample * std::ssize(ranges) + static_cast<Index>(c)];
    if (high > low)
      farthest = std::max(farthest, std::abs(value - 0.5 * (low + high)) / (0.5 * (high - low)));
  }
  return farthest;
}

// Of every value of an input.
std::vector<double> mean_input(const DataSet& train) {
  const Index size = train.inputs.size() / train.size();
  std::vector<double> mean(size);
  for (Index i = 0; i < train.inputs.size(); ++i)
    mean[i % size] += static_cast<double>(train.inputs[i]) / static_cast<double>(train.size());
  return mean;
}

double by_input(const DataSet& data, const std::vector<double>& mean, const Normalisation& units,
                Index sample) {
  const auto size = std::ssize(mean), channels = std::ssize(units.deviation());
  double squares = 0;
  for (Index i = 0; i < size; ++i) {
    const double away = static_cast<double>(data.inputs[sample * size + i]) - mean[i];
    squares += std::pow(away / units.deviation()[i % channels], 2);
  }
  return std::sqrt(squares / static_cast<double>(size));
}

// Indices of the samples that lie as far out as `threshold`, or not.
std::vector<Index> samples_where(const std::vector<double>& out, double threshold, bool outside) {
  std::vector<Index> samples;
  for (Index s = 0; s < std::ssize(out); ++s) {
    if ((out[s] >= threshold) == outside) samples.push_back(s);
  }
  return samples;
}

// Every channel in its own units.
double crps_of(Prediction p, Array<double> truth, const std::vector<double>& unit) {
  for (Index i = 0; i < truth.size(); ++i) {
    const double one = unit[static_cast<std::size_t>(i) % unit.size()];
    p.mean[i] /= one;
    p.variance[i] /= one * one;
    truth[i] /= one;
  }
  return metrics::crps({p.mean.view(), p.variance.view(), truth.view(), {}}).value;
}

// What sizing is calibrated for this trial's surrogate, and how each way predicts the edge.
void judge(const SelectionPlan& plan, Surrogate surrogate, const DataSet& edge, Trial& trial) {
  const DataSet& validation = plan.data.validation().data();
  const PredictOptions how{false, plan.base.threads};
  const Array<double> truth = truth_of(edge);
  const std::vector<double> unit = channel_units(edge.outputs);
  const auto offer = [&](const char* sizing, const Prediction& p) {
    const double crps = crps_of(p, truth, unit);
    if (!(crps < trial.edge_crps)) return;
    trial.edge_crps = crps;
    trial.sizing = sizing;
  };
  offer("none", predict(surrogate, edge.inputs.view(), how));
  if (validation.size() < least_for_sizing) return;
  Prediction held_out = predict(surrogate, validation.inputs.view(), how);
  CalibrationOptions sizing_alone;
  sizing_alone.trust_level = sizing_alone.coverage = 0;
  calibrate(sizing_alone, {}, validation, held_out, plan.base.threads, surrogate);
  Prediction sized = predict(surrogate, edge.inputs.view(), how);
  offer("data", sized);
  if (!has_law_sizing(surrogate)) return;
  size_by_law(surrogate, edge, sized);
  offer("law", sized);
}

}  // namespace

std::vector<double> outwardness(const DataSet& data, const DataSet& train) {
  std::vector<double> out;
  if (!train.parameters.empty() && !data.parameters.empty()) {
    const std::vector<Range> ranges = parameter_ranges(train);
    for (Index s = 0; s < data.size(); ++s) out.push_back(by_parameters(data, ranges, s));
    return out;
  }
  const std::vector<double> mean = mean_input(train);
  const Normalisation units = Normalisation::per_channel(train.inputs.view());
  for (Index s = 0; s < data.size(); ++s) out.push_back(by_input(data, mean, units, s));
  return out;
}

EdgeSplit split_off_edge(const DataSet& train, const DataSet& validation) {
  require_samples(train, 2 * edge_share, "the rule 'edge'", "training data");
  const std::vector<double> out = outwardness(train, train);
  std::vector<double> sorted = out;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  require(sorted.front() > sorted.back(), "the rule 'edge': all samples lie equally far out");
  const double threshold = sorted[train.size() / edge_share - 1];
  const std::vector<Index> inner = samples_where(out, threshold, false);
  require(!inner.empty(), "the rule 'edge': too many samples lie equally far out");
  const std::vector<double> held_out = outwardness(validation, train);
  std::vector<Index> kept = samples_where(held_out, threshold, false);
  if (kept.empty()) {  // all of them are out there: still better than none to choose the epoch by
    kept.resize(validation.size());
    std::iota(kept.begin(), kept.end(), 0);
  }
  return {select(train, inner), select(validation, kept), select(train, samples_where(out, threshold, true))};
}

namespace {

Selection judged(const SelectionPlan& plan, const std::vector<TrainedNetwork>& networks,
                 const DataSet& edge) {
  Selection selection{plan.trials, 0, {}};
  const DataSet& validation = plan.data.validation().data();
  std::string reason;
  for (std::size_t t = 0; t < selection.trials.size(); ++t) {
    Trial& trial = selection.trials[t];
    trial.error = failure_of(plan, networks, t);
    if (!trial.error.empty()) {
      if (reason.empty()) reason = "; the first: " + trial.error;
      continue;
    }
    const Surrogate surrogate = surrogate_of(plan, networks, t);
    trial.validation_mse = validation_mse(surrogate, validation, plan.base.threads);
    judge(plan, surrogate, edge, trial);
  }
  const auto least =
      std::min_element(selection.trials.begin(), selection.trials.end(),
                       [](const Trial& a, const Trial& b) { return a.edge_crps < b.edge_crps; });
  require(std::isfinite(least->edge_crps), "selection: none of {} trials succeeded{}",
          selection.trials.size(), reason);
  selection.chosen = static_cast<std::size_t>(least - selection.trials.begin());
  return selection;
}

}  // namespace

std::optional<Selection> select_at_edge(const SelectionPlan& plan, const DataSet& edge,
                                        FitObserver* observer) {
  const auto networks = train_trials(plan, observer);
  if (!networks) return std::nullopt;
  Selection selection;
  if (leads(ranks())) selection = judged(plan, *networks, edge);
  selection.chosen = choice_of_all(selection.chosen);
  return selection;
}

}  // namespace nouq
