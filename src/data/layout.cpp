#include "data/layout.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/error.h"
#include "core/names.h"
#include "core/text.h"

namespace nouq::layout {
namespace {

void require_storable(const std::vector<Channel>& channels, const std::string& what) {
  for (const Channel& channel : channels) {
    nouq::require_storable(channel.name, what);
    nouq::require_storable(channel.unit, what);
  }
}

void require_constraint_name(const std::string& name, const std::string& target) {
  const bool plain = !name.empty() && name.size() <= 255 && name != "." && name != ".." &&
                     std::none_of(name.begin(), name.end(), [](char c) {
                       return static_cast<unsigned char>(c) < 0x20U || c == '/' || c == '\\';
                     });
  require(plain,
          "{}: constraint '{}' cannot be the name of an array: 1 to 255 bytes without slashes or control "
          "characters",
          target, name);
}

void name_channels(std::vector<Channel>& channels, const std::string& what, const std::string& source,
                   LoadReport* report) {
  const auto is_unnamed = [](const Channel& channel) { return channel.name.empty(); };
  if (std::none_of(channels.begin(), channels.end(), is_unnamed)) return;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].name.empty()) channels[i].name = fmt::format("{} {}", what, i);
  }
  notice(report, fmt::format("{}: {}s have no names, they are called '{} 0', ...", source, what, what));
}

// [1000, 16, 16] is one axis with 16 channels, or two axes without a channel axis: nobody can tell.
void require_channel_axis(const DataSet& data, const std::string& source) {
  constexpr Index usual = 4;  // as many channels may come without names
  const auto unnamed_channel = [](const Channel& channel) { return channel.name.empty(); };
  const bool bare =
      std::all_of(data.grid.begin(), data.grid.end(),
                  [](const Axis& axis) { return axis.coordinates.empty() && axis.name.empty(); }) &&
      std::all_of(data.output_channels.begin(), data.output_channels.end(), unnamed_channel);
  require(
      !bare || std::ssize(data.output_channels) <= usual || data.inputs.shape() != data.outputs.shape(),
      "{}: inputs and outputs have the shape {}, which says {} axes and {} channels: where the channel axis was "
      "forgotten, add it (array[..., None]); else name the channels (input_channels, output_channels)",
      source, to_string(data.outputs.shape()), data.grid.size(), data.output_channels.size());
}

// Extent of a field along an axis of the grid: the first axis of the field counts samples.
Index field_extent(const DataSet& data, std::size_t axis, const std::string& source) {
  require(axis + 2 < data.inputs.rank(), "{}: array 'inputs' of shape {} has no axis {}", source,
          to_string(data.inputs.shape()), axis);
  return data.inputs.extent(axis + 1);
}

}  // namespace

int version_of(const DataSet& data) {
  const bool cells = std::any_of(data.grid.begin(), data.grid.end(),
                                 [](const Axis& axis) { return axis.kind == AxisKind::cells; });
  return cells || !data.laws.empty() || !data.bounds.empty() ? 2 : 1;
}

void require_storable(const DataSet& data, const std::string& target) {
  require_storable(data.input_channels, target + ": names of input channels");
  require_storable(data.output_channels, target + ": names of output channels");
  require_storable(data.parameter_names, target + ": names of parameters");
  for (const Axis& axis : data.grid) {
    nouq::require_storable(axis.name, target + ": names of axes");
    nouq::require_storable(axis.unit, target + ": units of axes");
  }
  for (const auto& [name, values] : data.constraint_values) {
    nouq::require_storable(name, target + ": names of constraints");
    require_constraint_name(name, target);
  }
  for (const auto& [name, law] : data.laws) {
    for (const std::string& axis : law.axes)
      require(axis.find(axis_separator) == std::string::npos,
              "{}: law '{}': axis '{}' has a {} in its name, which separates axes", target, name, axis,
              axis_separator);
  }
  for (const auto& [key, text] : data.provenance) {
    require(!key.empty(), "{}: provenance has an entry without a name", target);
    nouq::require_storable(key, target + ": provenance");
    nouq::require_storable(text, fmt::format("{}: provenance '{}'", target, key));
  }
}

std::string joined_axes(const Law& law) {
  return fmt::format("{}", fmt::join(law.axes, std::string_view(&axis_separator, 1)));
}

Law read_law(const std::string& kind, const std::string& axes, double channel) {
  if (kind != law_kind) fail_unknown_name("kind of law", kind, std::vector<std::string>{law_kind});
  require(channel >= 0 && channel < 1e9 && channel == std::floor(channel),
          "channel {}: expected a whole number, from 0 on", channel);
  Law law{{}, static_cast<Index>(channel)};
  std::istringstream stream(axes);
  for (std::string axis; std::getline(stream, axis, axis_separator);) law.axes.push_back(axis);
  return law;
}

std::vector<Bounds> read_bounds(const Array<double>& table, const std::string& label) {
  require(table.rank() == 2 && table.extent(1) == 2,
          "{} has shape {}, expected [output channels, 2], the lower bound first", label,
          to_string(table.shape()));
  std::vector<Bounds> bounds;
  for (Index c = 0; c < table.extent(0); ++c) bounds.push_back({table[2 * c], table[2 * c + 1]});
  return bounds;
}

Array<double> bounds_table(const std::vector<Bounds>& bounds) {
  Array<double> table({std::ssize(bounds), 2});
  for (std::size_t c = 0; c < bounds.size(); ++c) {
    table[2 * static_cast<Index>(c)] = bounds[c].lower;
    table[2 * static_cast<Index>(c) + 1] = bounds[c].upper;
  }
  return table;
}

Array<double> parameter_table(Array<double> values, const std::string& label) {
  require((values.rank() == 1 || values.rank() == 2) && !values.empty(),
          "{} has shape {}, expected [samples, parameters], none of them zero", label,
          to_string(values.shape()));
  if (values.rank() == 2) return values;
  return {{values.size(), 1}, values.begin(), values.end()};
}

std::vector<Channel> unnamed(Index count) { return std::vector<Channel>(count); }

void fill_defaults(DataSet& data, const std::string& source, LoadReport* report) {
  require_channel_axis(data, source);
  name_channels(data.input_channels, "input", source, report);
  name_channels(data.output_channels, "output", source, report);
  name_channels(data.parameter_names, "parameter", source, report);
  for (std::size_t i = 0; i < data.grid.size(); ++i) {
    Axis& axis = data.grid[i];
    if (axis.name.empty()) axis.name = fmt::format("axis {}", i);
    if (!axis.coordinates.empty()) continue;
    const Index points = field_extent(data, i, source);
    require(points > 0, "{}: array 'inputs' of shape {} is empty", source, to_string(data.inputs.shape()));
    axis.coordinates = evenly_spaced(axis.kind, 0.0, 1.0, points);
    notice(report, fmt::format("{}: axis '{}' has no coordinates, {} evenly spaced {} on [0, 1] are taken",
                               source, axis.name, points, axis.kind == AxisKind::cells ? "cells" : "points"));
  }
}

}  // namespace nouq::layout
