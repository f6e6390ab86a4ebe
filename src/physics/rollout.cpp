#include "physics/rollout.h"

#include <algorithm>
#include <cmath>

#include "conserve/constraint_kinds.h"
#include "core/error.h"
#include "core/grid_domain.h"
#include "data/laws.h"
#include "physics/physics.h"
#include "physics/trust_evidence.h"
#include "uq/moments.h"
#include "uq/sizing.h"

namespace nouq {
namespace {

// The laws that are enforced: those of the surrogate, with what they should come to at every time.
struct StepLaws {
  Laws laws;
  std::map<std::string, Array<double>> values;  // of one trajectory: [places, times]
};

// One trajectory on its way.
class Trajectory {
 public:
  Trajectory(const Surrogate& surrogate, const RolloutStart& start, Index sample, Index members,
             const RolloutOptions& options);
  // Everything of the trajectory, into its place.
  void run(Predictor& members, Predictor& mean, RolledOut& result);

 private:
  [[nodiscard]] Array<float> questions(Index step) const;
  [[nodiscard]] std::map<std::string, Array<double>> values_at(Index step, Index count) const;
  [[nodiscard]] Prediction projected(Index step, Prediction fields) const;
  void enforce_laws(const RolloutStart& start);
  void advance(Index step, Predictor& members, Predictor& mean);
  void keep(Index step, const Prediction& fields, RolledOut& result);

  const Surrogate& surrogate_;
  const RolloutStart& start_;
  const RolloutOptions& options_;
  RolloutFacts facts_;
  Index sample_, count_, space_, channels_, extra_;  // count_: members, 1 without
  Grid grid_;                                        // of a step
  StepLaws laws_;
  Array<double> states_;   // [members + 1, space, channels]: the last is that of the mean
  Array<double> carried_;  // variance of methods without members: [space, channels]
  Prediction judged_;      // of the mean, as it came from the networks: [steps, ...]
  Array<float> judged_inputs_;
  Prediction last_;  // members after the projection: [count_, ...]
};

Grid grid_of_steps(const Grid& space, const Surrogate& surrogate, const RolloutFacts& facts) {
  Grid grid = space;
  if (facts.block > 1) grid.push_back(surrogate.grid.back());
  return grid;
}

Trajectory::Trajectory(const Surrogate& surrogate, const RolloutStart& start, Index sample, Index members,
                       const RolloutOptions& options)
    : surrogate_(surrogate),
      start_(start),
      options_(options),
      facts_(rollout_facts(surrogate)),
      sample_(sample),
      count_(std::max<Index>(1, members)),
      space_(element_count(shape_of(start.space))),
      channels_(surrogate.channels()),
      extra_(std::ssize(surrogate.input_channels) - surrogate.channels()),
      grid_(grid_of_steps(start.space, surrogate, facts_)) {
  states_ = Array<double>({count_ + 1, space_, channels_});
  const Index size = space_ * channels_;
  for (Index i = 0; i < states_.size(); ++i) states_[i] = start.state[sample * size + i % size];
  carried_ = Array<double>({space_, channels_});
  enforce_laws(start);
  Shape shape = shape_of(grid_);
  shape.insert(shape.begin(), options.steps);
  shape.push_back(channels_);
  judged_ = {Array<double>(shape), Array<double>(shape), {}};
  judged_.pooled = Array<double>({options.steps, 2 * surrogate.network.width});
  shape.back() = channels_ + extra_;
  judged_inputs_ = Array<float>(shape);
}

void Trajectory::enforce_laws(const RolloutStart& start) {
  const Index times = options_.steps * facts_.block, size = space_ * channels_;
  for (const auto& [name, law] : laws_of(surrogate_)) {
    const Index places = places_of(law, start.space);
    Array<double> values({places, times});
    const auto given = start.values.find(name);
    if (is_closed(surrogate_, name)) {
      const std::vector<double> sums = integrals(start.space, law, channels_, states_.data() + count_ * size);
      for (Index i = 0; i < values.size(); ++i) values[i] = sums[static_cast<std::size_t>(i / times)];
    } else if (given != start.values.end()) {
      const Index known = given->second.size() / (given->second.extent(0) * places);
      require(known >= times, "values of '{}' at {} times: a roll-out over {} needs as many", name, known,
              times);
      for (Index i = 0; i < values.size(); ++i)
        values[i] = given->second[(sample_ * places + i / times) * known + i % times];
    } else {
      continue;
    }
    laws_.laws[name] = law;
    laws_.values[name] = std::move(values);
  }
}

std::map<std::string, Array<double>> Trajectory::values_at(Index step, Index count) const {
  std::map<std::string, Array<double>> result;
  const Index block = facts_.block;
  for (const auto& [name, values] : laws_.values) {
    const Index places = values.extent(0), times = values.extent(1);
    Array<double> now({count, places * block});
    for (Index i = 0; i < now.size(); ++i) {
      const Index row = i % (places * block);
      now[i] = values[row / block * times + step * block + row % block];
    }
    result[name] = std::move(now);
  }
  return result;
}

// The states, with the other inputs at the times of this step: [members + 1, space, block, inputs].
Array<float> Trajectory::questions(Index step) const {
  const Index block = facts_.block, inputs = channels_ + extra_;
  const Index known = extra_ == 0 ? 1 : start_.inputs.shape()[start_.inputs.rank() - 2];
  Shape shape = shape_of(grid_);
  shape.insert(shape.begin(), count_ + 1);
  shape.push_back(inputs);
  Array<float> result(shape);
  for (Index i = 0; i < result.size(); ++i) {
    const Index c = i % inputs, b = i / inputs % block, s = i / (inputs * block) % space_;
    const Index member = i / (inputs * block * space_);
    if (c < channels_) {
      result[i] = static_cast<float>(states_[(member * space_ + s) * channels_ + c]);
    } else {
      const Index time = known == 1 ? 0 : step * block + b;
      result[i] = start_.inputs[((sample_ * space_ + s) * known + time) * extra_ + c - channels_];
    }
  }
  return result;
}

Prediction Trajectory::projected(Index step, Prediction fields) const {
  ProjectionChoice choice = options_.projection;
  if (choice.kind == ProjectionKind::none) return fields;
  if (!choice.noise_variance) choice.noise_variance = 0;  // exactly: steps add up what is left
  const Physics physics = physics_of({{grid_, channels_},
                                      laws_.laws,
                                      values_at(step, fields.mean.extent(0)),
                                      surrogate_.bounds,
                                      nullptr,
                                      {}});
  return project(choice, physics, grid_, law_use_of(surrogate_), fields);
}

void Trajectory::advance(Index step, Predictor& members, Predictor& mean) {
  const Array<float> inputs = questions(step);
  const Index field = members.points() * channels_, input = inputs.size() / (count_ + 1);
  // The step from the mean state, as the surrogate gives and sizes it: what trust hears.
  std::copy_n(inputs.data() + count_ * input, input, judged_inputs_.data() + step * input);
  double* variance = judged_.variance.data() + step * field;
  mean.predict(inputs.data() + count_ * input, 1, judged_.mean.data() + step * field, variance, nullptr,
               judged_.pooled.data() + step * mean.pooled_size());
  Shape shape = shape_of(grid_);
  shape.insert(shape.begin(), count_);
  shape.push_back(channels_);
  last_ = {Array<double>(shape), Array<double>(shape), {}};
  if (members.samples() == 0) {
    std::copy_n(judged_.mean.data() + step * field, field, last_.mean.data());
    std::copy_n(variance, field, last_.variance.data());
  } else {
    Buffer<double> all, ignored;
    all.resize(count_ * count_ * field);
    ignored.resize(2 * count_ * field);
    members.predict(inputs.data(), count_, ignored.data(), ignored.data() + count_ * field, all.data());
    for (Index m = 0; m < count_; ++m) {
      std::copy_n(all.data() + (m * count_ + m) * field, field, last_.mean.data() + m * field);
      std::copy_n(variance, field, last_.variance.data() + m * field);
    }
  }
  const Prediction before = last_;
  last_ = projected(step, std::move(last_));
  last_.variance = before.variance;  // of a step; what is carried on is in the members
}

// Mean and variance of the members into the whole trajectory; the states for the next step.
void Trajectory::keep(Index step, const Prediction& fields, RolledOut& result) {
  const Index block = facts_.block, times = options_.steps * block, field = space_ * block * channels_;
  Array<double> mean({field}), variance({field});
  if (count_ > 1) {
    moments(fields.mean.data(), {count_, field, 1}, field, mean.data(), variance.data());
  } else {
    std::copy_n(fields.mean.data(), field, mean.data());
    for (Index i = 0; i < field; ++i)
      variance[i] = fields.variance[i] + carried_[i / (block * channels_) * channels_ + i % channels_];
  }
  Prediction& p = result.prediction;
  const auto place = [&](Index i, Index base) {  // of value i of a step's field
    const Index c = i % channels_, b = i / channels_ % block, s = i / (channels_ * block);
    return ((base * space_ + s) * times + step * block + b) * channels_ + c;
  };
  for (Index i = 0; i < field; ++i) {
    p.mean[place(i, sample_)] = mean[i];
    p.variance[place(i, sample_)] = variance[i];
    for (Index m = 0; !p.samples.empty() && m < count_; ++m)
      p.samples[place(i, sample_ * count_ + m)] = fields.mean[m * field + i];
  }
  for (Index s = 0; s < space_; ++s) {
    for (Index c = 0; c < channels_; ++c) {
      const Index end = (s * block + block - 1) * channels_ + c, at = s * channels_ + c;
      for (Index m = 0; m < count_; ++m) states_[m * space_ * channels_ + at] = fields.mean[m * field + end];
      states_[count_ * space_ * channels_ + at] = mean[end];
      if (count_ == 1) carried_[at] = variance[end];
    }
  }
  for (const auto& [name, law] : laws_.laws) {
    const LinearConstraints rows = integral_constraints({grid_, channels_}, law.axes, Quadrature::automatic,
                                                        values_at(step, 1).at(name), law.channel);
    std::vector<double> off(static_cast<std::size_t>(rows.rows()));
    evaluate_residuals<double>(rows, 0, mean.span(), off);
    for (const double one : off) result.violation[name] = std::max(result.violation[name], std::abs(one));
  }
}

void Trajectory::run(Predictor& members, Predictor& mean, RolledOut& result) {
  for (Index step = 0; step < options_.steps; ++step) {
    advance(step, members, mean);
    keep(step, last_, result);
  }
  if (!has_trust(surrogate_)) return;
  DataSet question;
  question.grid = grid_;
  question.inputs = judged_inputs_;
  question.output_channels = surrogate_.output_channels;
  for (Index k = 0; k < options_.steps; ++k) {
    for (const auto& [name, row] : values_at(k, 1)) {
      Array<double>& all = question.constraint_values[name];
      if (all.empty()) all = Array<double>({options_.steps, row.size()});
      std::copy(row.begin(), row.end(), all.data() + k * row.size());
    }
  }
  const auto columns = std::ssize(surrogate_.parameter_names);
  if (!start_.parameters.empty()) {
    question.parameters = Array<double>({options_.steps, columns});
    for (Index i = 0; i < question.parameters.size(); ++i)
      question.parameters[i] = start_.parameters[sample_ * columns + i % columns];
  }
  result.trust[static_cast<std::size_t>(sample_)] = trust(surrogate_, question, judged_);
}

void check(const Surrogate& surrogate, const RolloutStart& start, const RolloutOptions& options) {
  const RolloutFacts facts = rollout_facts(surrogate);
  require(options.steps >= 1, "steps = {}: expected at least 1", options.steps);
  const Grid space(surrogate.grid.begin(), surrogate.grid.end() - (facts.block > 1 ? 1 : 0));
  require(space.size() == start.space.size(), "a roll-out on {} axes of space, the model has {}",
          start.space.size(), space.size());
  require_same_domain(space, start.space, "roll-out");
  Shape shape = shape_of(start.space);
  shape.insert(shape.begin(), start.state.rank() == 0 ? 0 : start.state.extent(0));
  shape.push_back(surrogate.channels());
  require(start.state.shape() == shape && shape[0] >= 1, "initial states of shape {}: expected {}",
          to_string(start.state.shape()), to_string(shape));
  const Index extra = std::ssize(surrogate.input_channels) - surrogate.channels();
  if (extra == 0) return;
  const Index times = options.steps * facts.block,
              known = start.inputs.rank() < 3 ? 0 : start.inputs.shape()[start.inputs.rank() - 2];
  shape.back() = known;
  shape.push_back(extra);
  require(start.inputs.shape() == shape && (known == 1 || known >= times),
          "inputs besides the state of shape {}: expected one time, or the {} that are asked for",
          to_string(start.inputs.shape()), times);
}

RolledOut empty_result(const Surrogate& surrogate, const RolloutStart& start, const RolloutOptions& options,
                       Index members) {
  const RolloutFacts facts = rollout_facts(surrogate);
  const Index count = start.state.extent(0), times = options.steps * facts.block;
  RolledOut result;
  result.grid = start.space;
  Axis time{"t", {}, {}, AxisKind::points};
  if (facts.block > 1) time = surrogate.grid.back();
  result.grid.push_back(times_after(time, facts.start, facts.step, times));
  Shape shape = shape_of(result.grid);
  shape.insert(shape.begin(), count);
  shape.push_back(surrogate.channels());
  result.prediction = {Array<double>(shape), Array<double>(shape), {}};
  if (options.samples && members > 1) {
    shape.insert(shape.begin() + 1, members);
    result.prediction.samples = Array<double>(shape);
  }
  if (has_trust(surrogate)) result.trust.resize(static_cast<std::size_t>(count));
  return result;
}

}  // namespace

RolledOut roll_out_unsized(const Surrogate& surrogate, const RolloutStart& start,
                           const RolloutOptions& options) {
  check(surrogate, start, options);
  Surrogate raw = surrogate;
  remove_sizing(raw);
  const Grid grid = grid_of_steps(start.space, surrogate, rollout_facts(surrogate));
  Predictor members(raw, grid, options.projection.threads), mean(surrogate, grid, options.projection.threads);
  RolledOut result = empty_result(surrogate, start, options, members.samples());
  for (Index i = 0; i < start.state.extent(0); ++i)
    Trajectory(surrogate, start, i, members.samples(), options).run(members, mean, result);
  return result;
}

}  // namespace nouq
