#include "uq/network_settings.h"

#include <algorithm>

#include "core/error.h"
#include "nn/architecture.h"

namespace nouq {
namespace {

Padding default_padding(const Axis& axis) { return {.points = axis.periodic() ? 0 : 9, .fraction = {}}; }

// One value for all axes, or one per axis.
std::vector<Index> per_axis(const std::vector<Index>& given, std::size_t axes, const char* name) {
  if (given.size() == 1) return std::vector<Index>(axes, given.front());
  require(given.size() == axes, "{}: {} values for {} axes; give one, or one per axis", name, given.size(),
          axes);
  return given;
}

std::vector<Padding> padding_of(const NetworkSettings& s, const Grid& grid) {
  require(s.padding.empty() || s.padding_fraction == 0.0,
          "padding and padding-fraction say the same thing: give one");
  const std::vector<Index> points =
      s.padding.empty() ? std::vector<Index>() : per_axis(s.padding, grid.size(), "padding");
  std::vector<Padding> padding;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (!points.empty()) {
      padding.push_back({.points = points[i], .fraction = {}});
    } else if (s.padding_fraction > 0.0 && !grid[i].periodic()) {
      padding.push_back({.points = 0, .fraction = s.padding_fraction});
    } else {
      padding.push_back(default_padding(grid[i]));
    }
  }
  return padding;
}

// A setting that is kept as a double like the others, but takes no fractions.
Option whole_number(const ArchitectureSetting& setting, double& value) {
  Option option;
  option.name = setting.name;
  option.help = setting.help;
  option.kind = OptionKind::integer;
  option.store = [&value](const Values& values) {
    value = static_cast<double>(std::get<std::int64_t>(values.front()));
  };
  option.load = [&value] { return Values{static_cast<std::int64_t>(value)}; };
  option.default_values = option.load();
  return option;
}

}  // namespace

void describe(OptionTable& table, NetworkSettings& s) {
  table.add("width", s.width, "channels of the network's blocks")
      .between(1, 1024)
      .about(
          "32 or 64 in the paper. Weights and time of a step grow with its square; halve it for few samples.");
  table.add("blocks", s.blocks, "blocks of the network")
      .between(1, 64)
      .about("Four in the paper and in Li et al. (2021). Weights and time are proportional to it.");
  table.add("modes", s.modes, "frequencies kept along each axis (12, or what the axis allows)")
      .at_least(1)
      .about(
          "One number for all axes, or one per axis. Fields with fronts or fine detail need more; the weights "
          "are proportional to the product over the axes.");
  table.add("padding", s.padding, "zeros appended along each axis (9, none where periodic)")
      .at_least(0)
      .in_unit("points")
      .about(
          "The Fourier basis is periodic and most fields are not: the padding keeps one end from leaking into "
          "the other.");
  table
      .add("padding-fraction", s.padding_fraction,
           "padding as a share of each axis instead: other grids can be asked")
      .between(0, 4)
      .about(
          "The padded period then has the same physical length on every grid, so that a trained network can be "
          "evaluated on a finer or coarser one.");
  table.add("features", s.features, "features of the last hidden layer")
      .between(1, 4096)
      .since_version("0.2")
      .about("128 in the paper; what heads, masks and the Gaussian of bayesian act on.");
  for (const ArchitectureSetting& own : find_architecture(s.architecture).settings()) {
    Option& option = own.integer ? table.add(whole_number(own, s.extra[own.name] = own.value))
                                 : table.add(own.name, s.extra[own.name] = own.value, own.help);
    option.between(own.low, own.high).since_version("0.2").about(own.paragraph);
  }
}

Index default_modes(const DataSet& data, std::size_t axis, const std::string& architecture) {
  const Axis& a = data.grid.at(axis);
  const Index padded = default_padding(a).padded_length(a.size());
  return std::clamp<Index>(find_architecture(architecture).most_modes(axis, data.grid.size(), padded), 1, 12);
}

std::string default_architecture(const DataSet& data) { return data.grid.size() >= 3 ? "ffno" : "fno"; }

NetworkOptions resolve(const NetworkSettings& s, const DataSet& data) {
  NetworkOptions network = with_architecture({}, s.architecture);
  for (const auto& [name, value] : s.extra) network.extra[name] = value;
  network.input_channels = data.inputs.shape().back();
  network.width = s.width;
  network.blocks = s.blocks;
  network.features = s.features;
  network.modes.clear();
  for (std::size_t axis = 0; axis < data.grid.size(); ++axis)
    network.modes.push_back(default_modes(data, axis, s.architecture));
  if (!s.modes.empty()) network.modes = per_axis(s.modes, data.grid.size(), "modes");
  network.padding = padding_of(s, data.grid);
  return network;
}

}  // namespace nouq
