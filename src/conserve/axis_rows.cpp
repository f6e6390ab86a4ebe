#include "conserve/axis_rows.h"

#include "core/error.h"

namespace nouq {
namespace {

// A point of the grid: its index along each axis, counted up in C order.
void step(const Grid& grid, std::vector<Index>& index) {
  for (std::size_t a = grid.size(); a-- > 0;) {
    if (++index[a] < grid[a].size()) return;
    index[a] = 0;
  }
}

double coordinate(const Axis& axis, Index i) { return axis.coordinates[i]; }

}  // namespace

LinearConstraints axis_rows(const FieldLayout& layout, Index channel,
                            const std::vector<std::optional<std::vector<double>>>& weights,
                            const std::string& what) {
  layout.check_channel(channel);
  const Grid& grid = layout.grid;
  std::vector<std::vector<RowEntry>> entries(element_count(kept_extents(grid, weights)));
  std::vector<std::string> names(entries.size());
  std::vector<Index> index(grid.size(), 0);
  for (Index point = channel; point < layout.points(); point += layout.channels, step(grid, index)) {
    double weight = 1;
    std::size_t row = 0;
    std::string place;
    for (std::size_t a = 0; a < grid.size(); ++a) {
      if (weights[a]) {
        weight *= (*weights[a])[index[a]];
        continue;
      }
      row = row * static_cast<std::size_t>(grid[a].size()) + static_cast<std::size_t>(index[a]);
      place += fmt::format("{} {} = {:.6g}", place.empty() ? " at" : ",", grid[a].name,
                           coordinate(grid[a], index[a]));
    }
    if (weight != 0) entries[row].push_back({point, weight});
    if (names[row].empty()) names[row] = what + place;
  }
  LinearConstraints constraints;
  constraints.points = layout.points();
  for (std::size_t r = 0; r < entries.size(); ++r) constraints.add_row(names[r], std::move(entries[r]));
  return constraints;
}

Shape kept_extents(const Grid& grid, const std::vector<std::optional<std::vector<double>>>& weights) {
  Shape extents;
  for (std::size_t a = 0; a < grid.size(); ++a) {
    if (!weights[a]) extents.push_back(grid[a].size());
  }
  return extents;
}

Array<double> as_right_hand_sides(const Array<double>& values, std::span<const Index> places,
                                  const std::string& what) {
  Shape expected(places.begin(), places.end());
  const Index rows = element_count(expected);
  if (values.size() == 1) return Array<double>({1, rows}, values[0]);
  const auto given = std::span(values.shape()).subspan(values.rank() > 0 ? 1 : 0);
  const bool fits = !values.empty() && (same_extents(given, expected) || same_extents(given, Shape{rows}));
  expected.insert(expected.begin(), values.rank() > 0 ? values.extent(0) : 1);
  require(fits, "{}: values of shape {}, expected one for all, or {}, one for each sample and place", what,
          to_string(values.shape()), to_string(expected));
  return {{values.extent(0), rows}, values.begin(), values.end()};
}

}  // namespace nouq
