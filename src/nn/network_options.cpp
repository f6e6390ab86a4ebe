#include "nn/network_options.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "nn/architecture.h"

namespace nouq {

Index Padding::padded_length(Index length) const {
  if (!fraction) return length + points;
  return std::max(length,
                  static_cast<Index>(std::llround((1.0 + *fraction) * static_cast<double>(length - 1))));
}

double Padding::coordinate(Index point, Index length) const {
  if (fraction || points == 0) return (static_cast<double>(point) + 0.5) / static_cast<double>(length);
  return static_cast<double>(point) / static_cast<double>(std::max<Index>(1, length - 1));
}

namespace {

void require_between(const char* name, Index value, Index low, Index high) {
  require(value >= low && value <= high, "{} = {}: expected {} to {}", name, value, low, high);
}

void validate_axis(std::size_t axis, Index modes, const Padding& padding) {
  require(modes >= 1 && modes <= 100000, "modes of axis {} = {}: expected 1 to 100000", axis, modes);
  require(padding.points >= 0 && padding.points <= 1000000,
          "padding of axis {} = {} points: expected 0 to 1000000", axis, padding.points);
  if (padding.fraction) {
    require(*padding.fraction >= 0.0 && *padding.fraction <= 10.0,
            "padding of axis {} = {} of its length: expected 0 to 10", axis, *padding.fraction);
  }
}

// The settings that the architecture declares, each of them, and no others.
void validate_extra(const NetworkOptions& options) {
  const Architecture& architecture = find_architecture(options.architecture);
  const auto settings = architecture.settings();
  for (const ArchitectureSetting& setting : settings) {
    const auto found = options.extra.find(setting.name);
    require(found != options.extra.end(), "{} of a network of architecture {} is missing", setting.name,
            architecture.name());
    const double value = found->second;
    const bool whole = !setting.integer || value == std::floor(value);
    require(value >= setting.low && value <= setting.high && whole, "{} = {}: expected {}{} to {}",
            setting.name, value, setting.integer ? "a whole number from " : "", setting.low, setting.high);
  }
  for (const auto& given : options.extra) {
    const bool known = std::any_of(settings.begin(), settings.end(),
                                   [&](const ArchitectureSetting& s) { return s.name == given.first; });
    require(known, "{} = {}: architecture {} has no such setting", given.first, given.second,
            architecture.name());
  }
}

}  // namespace

void validate(const NetworkOptions& options) {
  require_between("input channels", options.input_channels, 1, 4096);
  require_between("outputs", options.outputs, 1, 4096);
  require_between("width", options.width, 1, 4096);
  require_between("blocks", options.blocks, 1, 100);
  require_between("features", options.features, 1, 65536);
  require(options.dropout >= 0.0 && options.dropout < 1.0,
          "dropout = {}: expected 0 up to, but not including, 1", options.dropout);
  require(options.axes() >= 1 && options.axes() <= 3, "modes given for {} axes: expected 1, 2 or 3",
          options.axes());
  require(options.padding.size() == options.modes.size(),
          "padding given for {} axes, modes for {}: expected the same", options.padding.size(),
          options.modes.size());
  for (std::size_t axis = 0; axis < options.modes.size(); ++axis) {
    validate_axis(axis, options.modes[axis], options.padding[axis]);
  }
  validate_extra(options);
}

NetworkOptions with_architecture(NetworkOptions options, const std::string& name) {
  options.architecture = name;
  options.extra.clear();
  for (const ArchitectureSetting& setting : find_architecture(name).settings())
    options.extra[setting.name] = setting.value;
  return options;
}

std::string difference(const NetworkOptions& first, const NetworkOptions& second) {
  std::string text;
  const auto compare = [&](const char* name, const std::string& a, const std::string& b) {
    if (a != b) text += fmt::format("{}{} {} and {}", text.empty() ? "" : ", ", name, a, b);
  };
  const auto paddings = [](const NetworkOptions& options) {
    std::string list;
    for (const Padding& p : options.padding)
      list += (list.empty() ? "" : " x ") +
              (p.fraction ? fmt::format("{} of the axis", *p.fraction) : fmt::format("{} points", p.points));
    return list;
  };
  const auto number = [](auto value) { return fmt::format("{}", value); };
  compare("architecture", first.architecture, second.architecture);
  compare("input channels", number(first.input_channels), number(second.input_channels));
  compare("outputs", number(first.outputs), number(second.outputs));
  compare("modes", to_string(first.modes), to_string(second.modes));
  compare("padding", paddings(first), paddings(second));
  compare("width", number(first.width), number(second.width));
  compare("blocks", number(first.blocks), number(second.blocks));
  compare("features", number(first.features), number(second.features));
  compare("bias of the head", number(first.head_bias), number(second.head_bias));
  compare("dropout", number(first.dropout), number(second.dropout));
  for (const auto& [name, value] : first.extra) {
    const auto other = second.extra.find(name);
    if (other != second.extra.end()) compare(name.c_str(), number(value), number(other->second));
  }
  return text;
}

std::vector<Index> padded_lengths(const NetworkOptions& options, const Shape& grid) {
  require(std::ssize(grid) == options.axes(), "the grid {} has {} axes, the network was built for {}",
          to_string(grid), grid.size(), options.axes());
  const Architecture& architecture = find_architecture(options.architecture);
  std::vector<Index> lengths;
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    require(grid[axis] >= 1, "axis {} of the grid has {} points: expected at least 1", axis, grid[axis]);
    const Index length = options.padding[axis].padded_length(grid[axis]);
    const Index allowed = architecture.most_modes(axis, grid.size(), length);
    require(options.modes[axis] <= allowed,
            "modes of axis {} = {}: the axis has {} points with padding and holds at most {} modes", axis,
            options.modes[axis], length, allowed);
    lengths.push_back(length);
  }
  return lengths;
}

}  // namespace nouq
