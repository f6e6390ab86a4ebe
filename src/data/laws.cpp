#include "data/laws.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

bool has_axis(const Law& law, const std::string& name) {
  return std::find(law.axes.begin(), law.axes.end(), name) != law.axes.end();
}

void validate(const Law& law, const Grid& grid, Index channels) {
  require(!law.axes.empty(), "it is summed over no axis, expected at least one");
  std::vector<std::string> names;
  for (const Axis& axis : grid) names.push_back(axis.name);
  for (const std::string& axis : law.axes) {
    if (std::find(names.begin(), names.end(), axis) == names.end()) fail_unknown_name("axis", axis, names);
    require(std::count(law.axes.begin(), law.axes.end(), axis) == 1, "axis '{}' is named twice", axis);
  }
  require(law.channel >= 0 && law.channel < channels, "channel {} of outputs with {}, counted from 0",
          law.channel, channels);
}

}  // namespace

Law mass_law(const Grid& grid) {
  Law mass;
  for (const Axis& axis : grid) {
    if (axis.name != "t") mass.axes.push_back(axis.name);
  }
  return mass;
}

Laws with_mass_law(Laws laws, const Grid& grid) {
  const bool timeless =
      std::none_of(grid.begin(), grid.end(), [](const Axis& axis) { return axis.name == "t"; });
  const bool time_last = grid.size() >= 2 && grid.back().name == "t";
  if (laws.contains(mass_name) || grid.empty() || (!timeless && !time_last)) return laws;
  laws.emplace(mass_name, mass_law(grid));
  return laws;
}

void validate(const Laws& laws, const Grid& grid, Index channels, const std::string& source) {
  for (const auto& entry : laws)
    with_source(fmt::format("{}: law '{}'", source, entry.first),
                [&] { validate(entry.second, grid, channels); });
}

void validate(const std::vector<Bounds>& bounds, Index channels, const std::string& source) {
  const auto count = std::ssize(bounds);
  require(count == 0 || count == channels, "{}: bounds of {} channels, the outputs have {}", source, count,
          channels);
  for (std::size_t c = 0; c < bounds.size(); ++c) {
    require(!std::isnan(bounds[c].lower) && !std::isnan(bounds[c].upper),
            "{}: a bound of output channel {} is not a number", source, c);
    require(bounds[c].lower <= bounds[c].upper,
            "{}: output channel {}: the lower bound {} is above the upper bound {}", source, c,
            bounds[c].lower, bounds[c].upper);
  }
}

Laws with_mass_law(Laws laws, const Grid& grid, const Array<double>& values, Index samples) {
  Laws with = with_mass_law(laws, grid);
  const bool added = with.contains(mass_name) && !laws.contains(mass_name);
  const bool timeless = grid.back().name != "t";
  return added && timeless && values.size() != samples ? laws : with;
}

Index places_of(const Law& law, const Grid& grid) {
  Index places = 1;
  for (const Axis& axis : grid) places *= has_axis(law, axis.name) ? 1 : axis.size();
  return places;
}

}  // namespace nouq
