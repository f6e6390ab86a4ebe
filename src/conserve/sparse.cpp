// Kind "sparse": the user's own G, as lists of rows, points and weights, and b.
#include "conserve/constraint_kinds.h"
#include "conserve/constraint_registry.h"
#include "core/error.h"

namespace nouq {

LinearConstraints sparse_constraints(Index field_points, std::span<const Index> rows,
                                     std::span<const Index> points, std::span<const double> weights,
                                     const Array<double>& values) {
  require(rows.size() == points.size() && rows.size() == weights.size(),
          "a sparse constraint has {} rows, {} points and {} weights, expected as many of each", rows.size(),
          points.size(), weights.size());
  require(values.rank() == 2, "sparse constraints: values of shape {}, expected [samples, rows]",
          to_string(values.shape()));
  std::vector<std::vector<RowEntry>> entries(values.extent(1));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    require(rows[i] >= 0 && rows[i] < values.extent(1), "entry {} of a sparse constraint is in row {} of {}",
            i, rows[i], values.extent(1));
    entries[rows[i]].push_back({points[i], weights[i]});
  }
  LinearConstraints constraints;
  constraints.points = field_points;
  for (std::size_t r = 0; r < entries.size(); ++r) {
    constraints.add_row(fmt::format("row {}", r), std::move(entries[r]));
  }
  constraints.set_right_hand_sides(values);
  return constraints;
}

namespace constraint_kinds {

void add_sparse(const Settings& given, const ConstraintContext& context, ConstraintSet& set) {
  const Array<double> weights = given.array("weights", context);
  add_rows(
      sparse_constraints(context.layout.points(), given.indices("rows", context),
                         given.indices("points", context), weights.span(), given.array("value", context)),
      given, context, set);
}

}  // namespace constraint_kinds

}  // namespace nouq
