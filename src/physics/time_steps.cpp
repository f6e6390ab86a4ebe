#include "physics/time_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conserve/constraint_kinds.h"
#include "core/error.h"
#include "core/grid_domain.h"
#include "data/laws.h"
#include "physics/physics.h"

namespace nouq {
namespace {

// Trajectories as [n][space][times][channels].
struct Extents {
  Index count, space, times, channels;
};

Extents extents_of(const Array<float>& fields) {
  const Shape& shape = fields.shape();
  const Index count = shape.front(), times = shape[shape.size() - 2], channels = shape.back();
  return {count, fields.size() / (count * times * channels), times, channels};
}

Grid space_of(const Grid& grid) { return {grid.begin(), grid.end() - 1}; }

bool is_initial_state(const DataSet& data, Index input) {
  const Extents in = extents_of(data.inputs), out = extents_of(data.outputs);
  for (Index c = 0; c < out.channels; ++c) {
    bool same = true;
    for (Index i = 0; same && i < in.count * in.space; ++i) {
      const float first = data.outputs[i * out.times * out.channels + c];
      for (Index t = 0; same && t < in.times; ++t)
        same = data.inputs[(i * in.times + t) * in.channels + input] == first;
    }
    if (same) return true;
  }
  return false;
}

// Copies channels of one time of a trajectory into a field of `channels` channels, from channel `to` on.
struct Place {
  Index sample, time;
};

void copy(const Array<float>& from, Place at, const std::vector<Index>& channels, float* to, Index stride,
          Index point_stride) {
  const Extents e = extents_of(from);
  for (Index s = 0; s < e.space; ++s) {
    const float* values = from.data() + ((at.sample * e.space + s) * e.times + at.time) * e.channels;
    for (std::size_t c = 0; c < channels.size(); ++c)
      to[s * point_stride * stride + static_cast<Index>(c)] = values[channels[c]];
  }
}

std::vector<Index> all_channels(Index count) {
  std::vector<Index> list;
  for (Index c = 0; c < count; ++c) list.push_back(c);
  return list;
}

void fill_fields(const DataSet& data, TimeSteps& steps, Index starts) {
  const Extents out = extents_of(data.outputs);
  const Index block = steps.block, extra = std::ssize(steps.inputs), channels = out.channels + extra;
  const std::vector<Index> state = all_channels(out.channels);
  Shape shape = {out.count * starts};
  for (const Axis& axis : steps.data.grid) shape.push_back(axis.size());
  shape.push_back(channels);
  steps.data.inputs = Array<float>(shape);
  shape.back() = out.channels;
  steps.data.outputs = Array<float>(shape);
  for (Index i = 0; i < out.count * starts; ++i) {
    const Index sample = i / starts, start = i % starts;
    float* in = steps.data.inputs.data() + i * out.space * block * channels;
    float* next = steps.data.outputs.data() + i * out.space * block * out.channels;
    for (Index b = 0; b < block; ++b) {
      const Place then = {sample, start + 1 + b};
      copy(data.outputs, {sample, start}, state, in + b * channels, channels, block);
      copy(data.inputs, then, steps.inputs, in + b * channels + out.channels, channels, block);
      copy(data.outputs, then, state, next + b * out.channels, out.channels, block);
    }
  }
}

// [n, columns] repeated for every start.
Array<double> repeated(const Array<double>& rows, Index starts) {
  if (rows.empty()) return {};
  Shape shape = rows.shape();
  const Index count = shape[0], columns = rows.size() / count;
  shape[0] = count * starts;
  Array<double> result(shape);
  for (Index i = 0; i < result.size(); ++i) result[i] = rows[i / columns / starts * columns + i % columns];
  return result;
}

// Values [n, places, times] at the times of every step: [n * starts, places, block].
Array<double> step_values(const Array<double>& values, Index count, Index times, Index starts, Index block) {
  const Index places = values.size() / (count * times);
  Array<double> result(block == 1 ? Shape{count * starts, places} : Shape{count * starts, places, block});
  for (Index i = 0; i < count * starts; ++i) {
    for (Index p = 0; p < places; ++p) {
      const double* all = values.data() + (i / starts * places + p) * times;
      for (Index b = 0; b < block; ++b) result[(i * places + p) * block + b] = all[i % starts + 1 + b];
    }
  }
  if (block > 1 && places == 1) return {{count * starts, block}, result.begin(), result.end()};
  return result;
}

// Whether values [n, places, times] stay the same, in units of the sizes [n, places].
bool stays(const Array<double>& values, Index times, const std::vector<double>& size) {
  constexpr double rounding = 1e-5;  // of float32, added up over a field
  for (Index row = 0; row < values.size() / times; ++row) {
    const double* all = values.data() + row * times;
    const auto [low, high] = std::minmax_element(all, all + times);
    if (*high - *low > rounding * size[static_cast<std::size_t>(row)]) return false;
  }
  return true;
}

// Integrals [n, places, times] of a channel as the law has it, and of its absolute value at the first time.
struct Integrals {
  Array<double> values;
  std::vector<double> size;
};

Integrals integrals_over_time(const DataSet& data, const Law& law) {
  const Extents e = extents_of(data.outputs);
  const Grid space = space_of(data.grid);
  Integrals result;
  for (Index t = 0; t < e.times; ++t) {
    const Array<float> state = at_time(data.outputs, t);
    for (Index i = 0; i < e.count; ++i) {
      std::vector<double> field(state.data() + i * e.space * e.channels,
                                state.data() + (i + 1) * e.space * e.channels);
      const std::vector<double> sums = integrals(space, law, e.channels, field.data());
      const auto places = std::ssize(sums);
      if (result.values.empty()) result.values = Array<double>({e.count, places, e.times});
      for (Index p = 0; p < places; ++p)
        result.values[(i * places + p) * e.times + t] = sums[static_cast<std::size_t>(p)];
      if (t > 0) continue;
      for (double& value : field) value = std::abs(value);
      for (const double size : integrals(space, law, e.channels, field.data())) result.size.push_back(size);
    }
  }
  return result;
}

bool speaks_of_states(const Law& law) {
  return std::find(law.axes.begin(), law.axes.end(), "t") == law.axes.end();
}

void add_laws(const DataSet& data, TimeSteps& steps, Index starts) {
  const Extents e = extents_of(data.outputs);
  const Laws known = laws_of(data);
  for (const auto& [name, law] : known) {
    const auto values = data.constraint_values.find(name);
    if (values == data.constraint_values.end() || !speaks_of_states(law)) continue;
    steps.data.laws[name] = law;
    steps.data.constraint_values[name] = step_values(values->second, e.count, e.times, starts, steps.block);
    const Integrals own = integrals_over_time(data, law);
    if (stays(values->second, e.times, own.size)) steps.closed.push_back(name);
  }
  for (Index c = 0; c < e.channels; ++c) {
    const bool has_one = std::any_of(steps.data.laws.begin(), steps.data.laws.end(),
                                     [&](const auto& law) { return law.second.channel == c; });
    if (has_one) continue;
    Law law{{}, c};
    for (const Axis& axis : space_of(data.grid)) law.axes.push_back(axis.name);
    if (law.axes.empty()) continue;
    const Integrals own = integrals_over_time(data, law);
    if (!stays(own.values, e.times, own.size)) continue;
    const std::string name = c == 0 && !known.contains(mass_name)
                                 ? mass_name
                                 : "integral of " + data.output_channels[static_cast<std::size_t>(c)].name;
    steps.data.laws[name] = law;
    steps.data.constraint_values[name] = step_values(own.values, e.count, e.times, starts, steps.block);
    steps.closed.push_back(name);
    steps.found.push_back(name);
  }
}

// A problem's own bounds may depend on parameter and time; a step keeps to the widest of them.
std::vector<Bounds> bounds_of_states(const DataSet& data) {
  const Physics physics = physics_of(data);
  if (!physics.has_bounds()) return {};
  std::vector<Bounds> bounds(data.output_channels.size());
  const auto widest = [&](const Array<double>& side, double Bounds::*which, auto wider) {
    for (std::size_t c = 0; c < bounds.size() && !side.empty(); ++c) {
      double& found = bounds[c].*which;
      found = side[static_cast<Index>(c)];
      for (Index i = static_cast<Index>(c); i < side.size(); i += std::ssize(bounds))
        found = wider(found, side[i]);
    }
  };
  widest(physics.bounds.lower, &Bounds::lower, [](double a, double b) { return std::min(a, b); });
  widest(physics.bounds.upper, &Bounds::upper, [](double a, double b) { return std::max(a, b); });
  return bounds;
}

}  // namespace

const Axis& time_axis(const Grid& grid, const std::string& source) {
  require(!grid.empty() && grid.back().name == "t",
          "{}: a roll-out goes over time, and the last axis of these data is {}, not t", source,
          grid.empty() ? "none" : "'" + grid.back().name + "'");
  const Axis& time = grid.back();
  require(!time.periodic() && time.size() >= 2 && evenly_spaced(time),
          "{}: a roll-out needs evenly spaced times, two or more; 't' has {}", source,
          time.size() < 2 ? "one" : "uneven or periodic ones");
  return time;
}

Axis times_after(const Axis& time, double start, double step, Index count) {
  Axis axis = time;
  axis.coordinates.clear();
  for (Index k = 1; k <= count; ++k) axis.coordinates.push_back(start + step * static_cast<double>(k));
  return axis;
}

Grid step_grid(const Grid& trajectories, Index block) {
  Grid grid = space_of(trajectories);
  const Axis& time = trajectories.back();
  const double step =
      (time.coordinates.back() - time.coordinates.front()) / static_cast<double>(time.size() - 1);
  if (block > 1) grid.push_back(times_after(time, 0, step, block));
  return grid;
}

Array<float> at_time(const Array<float>& fields, Index time) {
  const Extents e = extents_of(fields);
  Shape shape = fields.shape();
  shape.erase(shape.end() - 2);
  Array<float> result(shape);
  for (Index i = 0; i < e.count; ++i)
    copy(fields, {i, time}, all_channels(e.channels), result.data() + i * e.space * e.channels, e.channels,
         1);
  return result;
}

std::vector<double> integrals(const Grid& space, const Law& law, Index channels, const double* state) {
  const FieldLayout layout{space, channels};
  const LinearConstraints rows = integral_constraints(layout, law.axes, Quadrature::automatic,
                                                      Array<double>({1, places_of(law, space)}), law.channel);
  std::vector<double> sums(static_cast<std::size_t>(rows.rows()));
  evaluate_residuals(rows, 0, std::span(state, static_cast<std::size_t>(layout.points())), std::span(sums));
  return sums;
}

TimeSteps time_steps(const DataSet& data, Index block, const std::string& source) {
  const Axis& time = time_axis(data.grid, source);
  require(block >= 1 && block < time.size(),
          "{}: rollout = {}: expected a block of 1 to {} time points, as there are {}", source, block,
          time.size() - 1, time.size());
  require(block > 1 || data.grid.size() > 1,
          "{}: rollout = 1: the data have no axis besides t; take a block of 2 time points or more", source);
  TimeSteps steps;
  steps.block = block;
  steps.horizon = time.size() - 1;
  steps.step = (time.coordinates.back() - time.coordinates.front()) / static_cast<double>(steps.horizon);
  for (Index c = 0; c < data.inputs.shape().back(); ++c)
    if (!is_initial_state(data, c)) steps.inputs.push_back(c);
  const Index starts = time.size() - block;
  DataSet& own = steps.data;
  own.grid = step_grid(data.grid, block);
  own.output_channels = own.input_channels = data.output_channels;
  for (const Index c : steps.inputs)
    own.input_channels.push_back(data.input_channels[static_cast<std::size_t>(c)]);
  fill_fields(data, steps, starts);
  own.parameter_names = data.parameter_names;
  own.parameters = repeated(data.parameters, starts);
  own.bounds = bounds_of_states(data);
  add_laws(data, steps, starts);
  own.provenance = data.provenance;
  own.provenance.erase("problem");  // its law and bounds are about trajectories
  validate(own, source);
  return steps;
}

}  // namespace nouq
