// What a surrogate of time steps knows of itself, and what held-out roll-outs say: size, bands and trust.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/grid_domain.h"
#include "data/laws.h"
#include "physics/physics.h"
#include "physics/rollout.h"
#include "uq/quantile.h"
#include "uq/sizing.h"
#include "uq/trust.h"

namespace nouq {
namespace {

constexpr const char* closed_prefix = "rollout.closed.";

Index whole(const Surrogate& s, const char* name, Index least) {
  const double value = state_number(s, name);
  require(value >= static_cast<double>(least) && value < 1e9 && value == std::floor(value),
          "'{}' is {}: expected a whole number, {} or more", name, value, least);
  return static_cast<Index>(value);
}

// (k / K)^2 for time point k of a roll-out, counted from 0.
double growth(Index time, Index horizon) {
  const double age = static_cast<double>(time + 1) / static_cast<double>(horizon);
  return age * age;
}

// The members' sigma up to the end of every step, the largest so far, in the units of the calibration.
std::vector<double> drift_of(const Prediction& p, Index sample, Index steps,
                             const std::vector<double>& unit) {
  const Index times = p.mean.shape()[p.mean.rank() - 2], channels = p.mean.shape().back();
  const Index space = p.mean.size() / (p.mean.extent(0) * times * channels), block = times / steps;
  std::vector<double> drift;
  double largest = 0;
  for (Index k = 0; k < steps; ++k) {
    std::vector<double> variance;
    for (Index s = 0; s < space; ++s) {
      const double* end = p.variance.data() + ((sample * space + s) * times + (k + 1) * block - 1) * channels;
      variance.insert(variance.end(), end, end + channels);
    }
    const double spread = spread_in(unit, variance);
    largest = std::isfinite(spread) ? std::max(largest, spread) : HUGE_VAL;
    drift.push_back(largest);
  }
  return drift;
}

std::vector<double> scores_of(const std::vector<Trust>& steps) {
  std::vector<double> scores;
  double largest = 0;
  for (const Trust& one : steps) {
    largest = std::isfinite(one.score) ? std::max(largest, one.score) : HUGE_VAL;
    scores.push_back(largest);
  }
  return scores;
}

Array<double> list(const std::vector<double>& values) { return {{std::ssize(values)}, values}; }

std::vector<double> numbers(const Surrogate& s, const char* name, std::size_t count) {
  const Array<double>& stored = state_array(s, name);
  const bool good = std::all_of(stored.begin(), stored.end(), [](double v) { return v >= 0; });
  require(stored.size() == static_cast<Index>(count) && good, "'{}': expected {} numbers, not negative", name,
          count);
  return {stored.begin(), stored.end()};
}

void size_result(const Surrogate& surrogate, RolledOut& result) {
  if (!surrogate.state.contains("rollout.scale")) return;
  const auto channels = static_cast<std::size_t>(surrogate.channels());
  const std::vector<double> scale = numbers(surrogate, "rollout.scale", channels),
                            floor = numbers(surrogate, "rollout.floor", channels);
  const RolloutFacts facts = rollout_facts(surrogate);
  Prediction& p = result.prediction;
  const Index times = p.mean.shape()[p.mean.rank() - 2];
  for (Index i = 0; i < p.variance.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i) % channels;
    const Index time = i / std::ssize(scale) % times;
    p.variance[i] = scale[c] * (p.variance[i] + floor[c] * growth(time, facts.horizon));
  }
  if (!rollout_coverage(surrogate)) return;
  const double factor = numbers(surrogate, "rollout.factor", 1).front();
  p.band = Array<double>(p.variance.shape());
  for (Index i = 0; i < p.band.size(); ++i) p.band[i] = factor * std::sqrt(p.variance[i]);
}

void judge_result(const Surrogate& surrogate, const Prediction& members, RolledOut& result) {
  if (!surrogate.state.contains("rollout.trust")) {
    result.trust.clear();
    return;
  }
  const std::vector<double> limits = numbers(surrogate, "rollout.trust", 3),
                            unit = numbers(surrogate, "rollout.unit",
                                           static_cast<std::size_t>(surrogate.channels()));
  const double far = state_number(surrogate, "trust.far");
  for (std::size_t i = 0; i < result.trust.size(); ++i) {
    std::vector<Trust>& steps = result.trust[i];
    const std::vector<double> own = scores_of(steps),
                              drift = drift_of(members, static_cast<Index>(i), std::ssize(steps), unit);
    std::vector<std::string> why;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const double apart = drift[k] / limits[1], step = own[k] / limits[0];
      if (k == 0 || own[k] > own[k - 1]) why = steps[k].reasons;
      Trust& judged = steps[k];
      judged.score = std::max(apart, step) / limits[2];
      judged.verdict = judged.score <= 1     ? Verdict::in_domain
                       : judged.score <= far ? Verdict::doubtful
                                             : Verdict::out_of_domain;
      judged.reasons.clear();
      if (judged.verdict == Verdict::in_domain) continue;
      if (apart / limits[2] > 1)
        judged.reasons.push_back(fmt::format(
            "the members have drifted {:.1f} times as far apart as on held-out trajectories", apart));
      if (step / limits[2] > 1) judged.reasons.insert(judged.reasons.end(), why.begin(), why.end());
      if (step / limits[2] > 1 && why.empty())
        judged.reasons.push_back("states on the way are unlike those of training");
    }
  }
}

}  // namespace

bool has_rollout(const Surrogate& surrogate) { return surrogate.state.contains("rollout.block"); }

RolloutFacts rollout_facts(const Surrogate& s) {
  require(has_rollout(s), "the model is no surrogate of a time step: train it with --rollout");
  RolloutFacts facts{whole(s, "rollout.block", 1), state_number(s, "rollout.step"),
                     whole(s, "rollout.horizon", 1), state_number(s, "rollout.start")};
  require(facts.step > 0 && std::isfinite(facts.step) && std::isfinite(facts.start),
          "'rollout.step' is {}: expected a positive number", facts.step);
  require(facts.block == 1 || (s.grid.back().name == "t" && s.grid.back().size() == facts.block),
          "'rollout.block' is {}, and the grid has no time axis of as many points", facts.block);
  return facts;
}

void store(const TimeSteps& steps, double start, Surrogate& surrogate) {
  surrogate.state["rollout.block"] = number(static_cast<double>(steps.block));
  surrogate.state["rollout.step"] = number(steps.step);
  surrogate.state["rollout.horizon"] = number(static_cast<double>(steps.horizon));
  surrogate.state["rollout.start"] = number(start);
  for (const std::string& law : steps.closed) surrogate.state[closed_prefix + law] = number(1);
}

bool is_closed(const Surrogate& surrogate, const std::string& law) {
  return surrogate.state.contains(closed_prefix + law);
}

RolloutStart start_of(const Surrogate& surrogate, const DataSet& data) {
  const RolloutFacts facts = rollout_facts(surrogate);
  const Axis& time = time_axis(data.grid, "the data to roll out");
  const double step =
      (time.coordinates.back() - time.coordinates.front()) / static_cast<double>(time.size() - 1);
  require(std::abs(step - facts.step) <= 1e-3 * facts.step,
          "the data's times are {:.4g} apart, those that the model was trained on {:.4g}", step, facts.step);
  RolloutStart start{
      {data.grid.begin(), data.grid.end() - 1}, at_time(data.outputs, 0), {}, data.parameters, {}};
  std::vector<Index> columns;
  const std::size_t own = surrogate.output_channels.size();
  for (std::size_t c = own; c < surrogate.input_channels.size(); ++c) {
    const std::string& name = surrogate.input_channels[c].name;
    const auto found = std::find_if(data.input_channels.begin(), data.input_channels.end(),
                                    [&](const Channel& channel) { return channel.name == name; });
    require(found != data.input_channels.end(),
            "the data have no input '{}', which the model takes besides the state", name);
    columns.push_back(found - data.input_channels.begin());
  }
  const Index times = time.size() - 1, count = data.size(), all = data.inputs.shape().back();
  const auto extra = std::ssize(columns);
  if (extra > 0) {
    Shape shape = data.inputs.shape();
    shape[shape.size() - 2] = times;
    shape.back() = extra;
    start.inputs = Array<float>(shape);
    bool steady = true;
    for (Index i = 0; i < start.inputs.size(); ++i) {
      const Index row = i / (extra * times), t = i / extra % times;
      const float* from =
          data.inputs.data() + row * (times + 1) * all + columns[static_cast<std::size_t>(i % extra)];
      start.inputs[i] = from[(t + 1) * all];
      steady = steady && from[(t + 1) * all] == from[all];
    }
    if (steady) {  // one time stands for all
      shape[shape.size() - 2] = 1;
      Array<float> one(shape);
      for (Index i = 0; i < one.size(); ++i) one[i] = start.inputs[i / extra * times * extra + i % extra];
      start.inputs = std::move(one);
    }
  }
  for (const auto& [name, values] : data.constraint_values) {
    const Index rows = values.size() / (time.size());
    if (rows * time.size() != values.size() || rows % count != 0 || !laws_of(surrogate).contains(name))
      continue;
    Array<double> after({count, rows / count, times});
    for (Index i = 0; i < after.size(); ++i) after[i] = values[i / times * time.size() + i % times + 1];
    start.values[name] = std::move(after);
  }
  return start;
}

RolledOut roll_out(const Surrogate& surrogate, const RolloutStart& start, const RolloutOptions& options) {
  RolledOut result = roll_out_unsized(surrogate, start, options);
  const Prediction before = result.prediction;
  size_result(surrogate, result);
  judge_result(surrogate, before, result);
  return result;
}

std::optional<double> rollout_coverage(const Surrogate& surrogate) {
  if (!surrogate.state.contains("rollout.factor")) return std::nullopt;
  return state_number(surrogate, "rollout.coverage");
}

void calibrate_rollout(const DataSet& trajectories, const RolloutLevels& levels, int threads,
                       Surrogate& surrogate) {
  const RolloutFacts facts = rollout_facts(surrogate);
  const Index steps = (trajectories.grid.back().size() - 1) / facts.block, times = steps * facts.block;
  if (steps < 1 || trajectories.size() < least_for_sizing) return;
  const RolledOut rolled = roll_out_unsized(surrogate, start_of(surrogate, trajectories),
                                            {.steps = steps, .projection = {.threads = threads}});
  const Prediction& p = rolled.prediction;
  // Errors and variances as they would be at the end of the trained times.
  Prediction settled{Array<double>(p.mean.shape()), Array<double>(p.mean.shape()), {}};
  Array<double> error(p.mean.shape());
  const Index channels = surrogate.channels(), all = trajectories.grid.back().size();
  for (Index i = 0; i < p.mean.size(); ++i) {
    const Index c = i % channels, t = i / channels % times, row = i / (channels * times);
    const auto truth = static_cast<double>(trajectories.outputs[(row * all + t + 1) * channels + c]);
    const double grown = growth(t, facts.horizon);
    error[i] = (truth - p.mean[i]) / std::sqrt(grown);
    settled.variance[i] = p.variance[i] / grown;
  }
  const Sizing sizing = calibrate_sizing(settled.mean.view(), settled.variance.view(), error.view());
  surrogate.state["rollout.scale"] = list(sizing.scale);
  surrogate.state["rollout.floor"] = list(sizing.floor);
  const Index size = p.mean.size() / p.mean.extent(0);
  size_variance(sizing, settled);
  if (levels.coverage > 0) {
    std::vector<double> scores(static_cast<std::size_t>(p.mean.extent(0)));
    for (Index i = 0; i < p.mean.size(); ++i) {
      double& largest = scores[static_cast<std::size_t>(i / size)];
      largest = std::max(largest, std::abs(error[i]) / std::sqrt(settled.variance[i]));
    }
    surrogate.state["rollout.factor"] =
        number(conformal_quantile(scores, levels.coverage, "bands of roll-outs"));
    surrogate.state["rollout.coverage"] = number(levels.coverage);
  }
  if (!(levels.trust > 0) || rolled.trust.empty()) return;
  const std::vector<double> unit = spread_unit_of(p.variance.view());
  std::vector<double> own, apart, both;
  for (std::size_t i = 0; i < rolled.trust.size(); ++i) {
    own.push_back(scores_of(rolled.trust[i]).back());
    apart.push_back(drift_of(p, static_cast<Index>(i), steps, unit).back());
  }
  const double usual = conformal_quantile(own, levels.trust, "trust in roll-outs"),
               together = conformal_quantile(apart, levels.trust, "trust in roll-outs");
  if (!(usual > 0) || !(together > 0)) return;
  for (std::size_t i = 0; i < own.size(); ++i) both.push_back(std::max(own[i] / usual, apart[i] / together));
  surrogate.state["rollout.trust"] =
      Array<double>({3}, {usual, together, conformal_quantile(both, levels.trust, "trust in roll-outs")});
  surrogate.state["rollout.unit"] = list(unit);
}

}  // namespace nouq
