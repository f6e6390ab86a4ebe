#include <algorithm>

#include "core/error.h"
#include "data/hdf5_reader.h"

namespace nouq::hdf5 {
namespace {

// One variable of a file with all samples in one array [n, t, space...], or one array per sample.
struct Variable {
  std::string name;
  std::string array;
};

bool is_sample_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> sample_groups(const Reader& file) {
  std::vector<std::string> groups = file.names("/");
  std::erase_if(groups, [](const std::string& name) { return !is_sample_name(name); });
  // By number: 9999 comes before 10000.
  std::sort(groups.begin(), groups.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return groups;
}

// A coordinate list, cut to the extent of the field: PDEBench's time lists have one entry too many.
Axis read_axis(const Reader& file, const std::string& name, const std::string& array, Index points) {
  Axis axis;
  axis.name = name;
  if (!file.has(array)) return axis;  // the caller fills in a default and says so
  const Array<double> values = file.read<double>(array);
  require(values.rank() == 1 && values.size() >= points, "{} has shape {}, expected a list of {} coordinates",
          file.label(array), to_string(values.shape()), points);
  axis.coordinates.assign(values.begin(), values.begin() + points);
  return axis;
}

const std::vector<std::string>& space_names() {
  static const std::vector<std::string> names = {"x", "y", "z"};
  return names;
}

// Copies one sample [t, space, variables] to [space, t, all channels], beginning at `channel`.
void put_trajectory(std::span<const float> from, Index times, Index points, Index variables,
                    std::span<float> to, Index channel, Index channels) {
  for (Index t = 0; t < times; ++t) {
    for (Index x = 0; x < points; ++x) {
      for (Index v = 0; v < variables; ++v) {
        to[(x * times + t) * channels + channel + v] = from[(t * points + x) * variables + v];
      }
    }
  }
}

// The inputs: the values at the first time, repeated along time (the last axis before the channels).
Array<float> initial_values(const Array<float>& outputs, Index times, Index channels) {
  Array<float> inputs(outputs.shape());
  const Index block = times * channels;
  for (Index start = 0; start < outputs.size(); start += block) {
    for (Index i = 0; i < block; ++i) inputs[start + i] = outputs[start + i % channels];
  }
  return inputs;
}

void name_channels(DataSet& data, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    data.output_channels.push_back({name, ""});
    data.input_channels.push_back({name + " at the first time", ""});
  }
}

// [n, t, space..., channels] as [n, space..., t, channels].
Shape space_before_time(Index samples, const Shape& space, Index times, Index channels) {
  Shape shape = {samples};
  for (const Index extent : space) shape.push_back(extent);
  shape.push_back(times);
  shape.push_back(channels);
  return shape;
}

void require_shape(bool good, const Reader& file, const std::string& array, const Shape& shape,
                   const char* expected) {
  require(good && element_count(shape) > 0, "{} has shape {}, expected {}, none of them zero",
          file.label(array), to_string(shape), expected);
}

// Reads an array [n, t, space] in blocks of samples, so that it is not in memory twice.
void read_variable(const Reader& file, const std::string& array, Index times, Index points, Index channel,
                   Array<float>& outputs) {
  constexpr Index block_values = Index{1} << 24;
  const Index per_sample = times * points;
  const Index most = std::max<Index>(1, block_values / per_sample);
  std::vector<float> block;
  for (Index first = 0; first < outputs.extent(0); first += most) {
    const Index count = std::min(most, outputs.extent(0) - first);
    block.resize(count * per_sample);
    file.read_rows(array, first, count, block);
    for (Index i = 0; i < count; ++i) {
      const auto sample = std::span(block).subspan(i * per_sample, static_cast<std::size_t>(per_sample));
      put_trajectory(sample, times, points, 1, outputs.row(first + i).span(), channel,
                     outputs.shape().back());
    }
  }
}

// 'tensor' of the 1-d equations, and 'density', 'pressure', 'Vx', ... of the compressible flows.
DataSet read_trajectories(const Reader& file, const std::vector<Variable>& variables, LoadReport* report) {
  const Shape shape = file.shape(variables[0].array);
  require_shape(shape.size() >= 3 && shape.size() <= 5, file, variables[0].array, shape,
                "[samples, times, x] with up to two more axes");
  const Shape space(shape.begin() + 2, shape.end());
  const Index times = shape[1];
  const Index points = element_count(space);
  const auto channels = std::ssize(variables);
  DataSet data;
  for (std::size_t i = 0; i < space.size(); ++i) {
    data.grid.push_back(read_axis(file, space_names()[i], space_names()[i] + "-coordinate", space[i]));
  }
  data.grid.push_back(read_axis(file, "t", "t-coordinate", times));
  for (const Variable& variable : variables) {
    require(file.shape(variable.array) == shape, "{} has shape {}, expected {}", file.label(variable.array),
            to_string(file.shape(variable.array)), to_string(shape));
    file.report_rounding(variable.array, report);
  }
  data.outputs = Array<float>(space_before_time(shape[0], space, times, channels));
  for (Index channel = 0; channel < channels; ++channel) {
    read_variable(file, variables[channel].array, times, points, channel, data.outputs);
  }
  data.inputs = initial_values(data.outputs, times, channels);
  std::vector<std::string> names(variables.size());
  std::transform(variables.begin(), variables.end(), names.begin(),
                 [](const Variable& variable) { return variable.name; });
  name_channels(data, names);
  return data;
}

// Steady Darcy flow: 'nu' [n, x, y] is the permeability, 'tensor' [n, 1, x, y] the pressure.
DataSet read_darcy(const Reader& file, LoadReport* report) {
  const Shape shape = file.shape("tensor");
  require_shape(shape.size() == 4 && shape[1] == 1, file, "tensor", shape, "[samples, 1, x, y] beside 'nu'");
  const Shape expected = {shape[0], shape[2], shape[3]};
  require(file.shape("nu") == expected, "{} has shape {}, expected {}", file.label("nu"),
          to_string(file.shape("nu")), to_string(expected));
  DataSet data;
  const Shape field = {shape[0], shape[2], shape[3], 1};
  const auto reshaped = [&](const std::string& name) {
    const Array<float> values = file.read<float>(name, report);
    return Array<float>(field, values.begin(), values.end());
  };
  data.inputs = reshaped("nu");
  data.outputs = reshaped("tensor");
  data.input_channels = {{"nu", ""}};
  data.output_channels = {{"u", ""}};
  data.grid = {read_axis(file, "x", "x-coordinate", shape[2]),
               read_axis(file, "y", "y-coordinate", shape[3])};
  return data;
}

// One group per sample: '0000/data' [t, space..., variables] with '0000/grid/x', 'y', 't'.
DataSet read_sample_groups(const Reader& file, LoadReport* report) {
  const std::vector<std::string> groups = sample_groups(file);
  const std::string first = groups.at(0) + "/data";
  const Shape shape = file.shape(first);
  require_shape(shape.size() >= 3 && shape.size() <= 5, file, first, shape,
                "[times, x, variables] with up to two more axes");
  const Shape space(shape.begin() + 1, shape.end() - 1);
  const Index times = shape.front();
  const Index channels = shape.back();
  const auto read_grid = [&](const std::string& group) {
    Grid grid;
    for (std::size_t i = 0; i < space.size(); ++i) {
      grid.push_back(read_axis(file, space_names()[i], group + "/grid/" + space_names()[i], space[i]));
    }
    grid.push_back(read_axis(file, "t", group + "/grid/t", times));
    return grid;
  };
  DataSet data;
  data.grid = read_grid(groups[0]);
  // Every array is looked at before memory is taken for all of them.
  for (const std::string& group : groups) {
    require(file.shape(group + "/data") == shape, "{} has shape {}, but sample {} has {}",
            file.label(group + "/data"), to_string(file.shape(group + "/data")), groups[0], to_string(shape));
    require(read_grid(group) == data.grid, "{}: sample {} has another grid than sample {}", file.source(),
            group, groups[0]);
  }
  file.report_rounding(first, report);
  data.outputs = Array<float>(space_before_time(std::ssize(groups), space, times, channels));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Array<float> sample = file.read<float>(groups[i] + "/data");
    put_trajectory(sample.span(), times, element_count(space), channels, data.outputs.row(i).span(), 0,
                   channels);
  }
  data.inputs = initial_values(data.outputs, times, channels);
  std::vector<std::string> names;
  for (Index i = 0; i < channels; ++i) names.push_back(channels == 1 ? "u" : fmt::format("u{}", i));
  name_channels(data, names);
  return data;
}

std::vector<Variable> flow_variables(const Reader& file) {
  std::vector<Variable> variables;
  for (const char* name : {"density", "pressure", "Vx", "Vy", "Vz"}) {
    if (file.has(name)) variables.push_back({name, name});
  }
  return variables;
}

}  // namespace

bool is_pdebench(const Reader& file) {
  if (file.has("tensor") || file.has("density")) return true;
  const std::vector<std::string> groups = sample_groups(file);
  return !groups.empty() && file.has(groups[0] + "/data");
}

DataSet read_pdebench(const Reader& file, LoadReport* report) {
  std::string format = "PDEBench, one group per sample";
  DataSet data;
  if (file.has("tensor")) {
    const bool darcy = file.has("nu");
    format = darcy ? "PDEBench Darcy flow" : "PDEBench trajectories";
    data = darcy ? read_darcy(file, report) : read_trajectories(file, {{"u", "tensor"}}, report);
  } else if (file.has("density")) {
    format = "PDEBench compressible flow";
    data = read_trajectories(file, flow_variables(file), report);
  } else {
    data = read_sample_groups(file, report);
  }
  data.provenance = file.scalars("/");
  data.provenance["source layout"] = format;
  if (report != nullptr) report->format = format;
  return data;
}

}  // namespace nouq::hdf5
