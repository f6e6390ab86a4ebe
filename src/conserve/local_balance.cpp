// Kind "balance": the mass of each block of cells changes by the difference of the fluxes at its two ends.
#include "conserve/constraint_kinds.h"
#include "conserve/constraint_registry.h"
#include "core/error.h"

namespace nouq {
namespace {

void check_edges(std::span<const Index> edges, Index points) {
  require(edges.size() >= 2, "a local balance needs at least two edges, got {}", edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    require(edges[e] >= 0 && edges[e] < points && (e == 0 || edges[e] > edges[e - 1]),
            "edge {} of the local balance is at index {}, expected increasing indices from 0 to {}", e,
            edges[e], points - 1);
  }
}

}  // namespace

LinearConstraints local_balance_constraints(const FieldLayout& layout, const std::string& axis,
                                            std::span<const Index> edges, const Array<double>& fluxes,
                                            Index channel) {
  layout.check_channel(channel);
  const std::size_t x = layout.axis(axis), t = layout.axis("t");
  require(layout.grid.size() == 2 && x != t, "a local balance needs a grid of one space axis and t");
  const auto &xs = layout.grid[x].coordinates, &ts = layout.grid[t].coordinates;
  check_edges(edges, layout.grid[x].size());
  const Shape expected = {fluxes.rank() == 3 ? fluxes.extent(0) : 1, std::ssize(edges),
                          layout.grid[t].size()};
  require(fluxes.shape() == expected, "fluxes have shape {}, expected [samples, edges, times] = {}",
          to_string(fluxes.shape()), to_string(expected));
  const Index samples = fluxes.extent(0), times = layout.grid[t].size();
  LinearConstraints constraints;
  constraints.points = layout.points();
  std::vector<double> values;  // [row][sample], turned at the end
  for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
    const auto low = static_cast<std::size_t>(edges[e]), high = static_cast<std::size_t>(edges[e + 1]);
    const auto weights = trapezoid_weights(std::span(xs).subspan(low, high - low + 1));
    for (Index j = 0; j + 1 < times; ++j) {
      std::vector<RowEntry> row;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const Index point = static_cast<Index>(low + i) * layout.stride(x) + channel;
        row.push_back({point + j * layout.stride(t), -weights[i]});
        row.push_back({point + (j + 1) * layout.stride(t), weights[i]});
      }
      const std::size_t at = j;
      constraints.add_row(fmt::format("balance of {} = {:.6g} to {:.6g} from t = {:.6g} to {:.6g}", axis,
                                      xs[low], xs[high], ts[at], ts[at + 1]),
                          std::move(row));
      for (Index s = 0; s < samples; ++s) {
        const double* in = fluxes.data() + (s * expected[1] + static_cast<Index>(e)) * times + j;
        const double* out = in + times;
        values.push_back(0.5 * (ts[at + 1] - ts[at]) * (in[0] + in[1] - out[0] - out[1]));
      }
    }
  }
  Array<double> right_hand_sides({samples, constraints.rows()});
  for (Index r = 0; r < constraints.rows(); ++r) {
    for (Index s = 0; s < samples; ++s)
      right_hand_sides[s * constraints.rows() + r] = values[r * samples + s];
  }
  constraints.set_right_hand_sides(std::move(right_hand_sides));
  return constraints;
}

namespace constraint_kinds {

void add_balance(const Settings& given, const ConstraintContext& context, ConstraintSet& set) {
  add_rows(local_balance_constraints(context.layout, given.text("axis"), given.indices("edges", context),
                                     given.array("flux", context), given.index("channel", 0)),
           given, context, set);
}

}  // namespace constraint_kinds

}  // namespace nouq
