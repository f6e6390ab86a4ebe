// The kind of constraint "first_moment": sum over x of x u(x, t) h = value, at every place on the other axes
// (of a grid with x as first axis and one more). Settings: axis, value ([samples, times], a number or the
// name of an array).
#include <nouq/constraint.h>

#include "extensions.h"

void add_first_moment() {
  const auto rows_of = [](const nouq::ConstraintRequest& asked) {
    const nouq::Grid& grid = asked.grid();
    const std::size_t axis = asked.axis(asked.text("axis"));
    if (grid.size() != 2 || axis != 0 || asked.channels() != 1)
      throw nouq::Error(nouq::Error::Kind::user, "first_moment: expected the first of two axes, one channel");
    const auto& x = grid[0].coordinates;
    const double h = x[1] - x[0];
    const nouq::Index times = grid[1].size();
    nouq::ConstraintRows rows;
    for (nouq::Index j = 0; j < times; ++j) {
      for (nouq::Index i = 0; i < grid[0].size(); ++i) {
        rows.row.push_back(j);
        rows.point.push_back(i * times + j);
        rows.weight.push_back(h * x[static_cast<std::size_t>(i)]);
      }
    }
    rows.values = asked.array("value");
    return rows;
  };
  nouq::register_constraint(
      {"first_moment", {"axis", "value"}, "the first moment along x is known", rows_of});
}
