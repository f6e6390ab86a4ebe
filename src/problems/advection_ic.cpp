// Linear advection with speed one from a varying initial step: u_t + u_x = 0 on [0, 1], u(x, 0) = 1[x <= a],
// u(0, t) = 1, so u = 1[x - t <= a]. The input field is the function u(x, 0), the same at every time.
//
// Mass law: b(t) = min(a + t, 1), the minimum being the step leaving at x = 1. Bounds: [0, 1].
#include <algorithm>
#include <memory>

#include "problems/description.h"
#include "problems/space_time.h"

namespace nouq::problems {
namespace {

class AdvectionIc final : public SpaceTimeProblem {
 public:
  using SpaceTimeProblem::SpaceTimeProblem;
  [[nodiscard]] Bounds bounds(double /*a*/, double /*t*/) const override { return {0, 1}; }

 private:
  [[nodiscard]] ExactSolution exact(double a) const override {
    ExactSolution solution;
    solution.value = [a](double x, double t) { return x - t <= a ? 1.0 : 0.0; };
    solution.mass = [a](double t) { return std::min(a + t, 1.0); };
    return solution;
  }
  [[nodiscard]] InputMaker make_inputs(const Grid& grid) const override {
    return [xs = grid[0].coordinates, times = grid[1].coordinates.size()](const Draw& draw,
                                                                          std::span<double> input) {
      for (std::size_t i = 0; i < input.size(); ++i) input[i] = xs[i / times] <= draw.parameter ? 1.0 : 0.0;
    };
  }
};

}  // namespace

std::unique_ptr<Problem> make_advection_ic(const ProblemOptions& given) {
  const OptionReader options("advection-ic", space_time_options("1"), given);
  ProblemDescription description{
      .name = "advection-ic",
      .words = "A step carried along with speed one, from a varying place (linear, hyperbolic)",
      .equation = "u_t + u_x = 0 on [0, 1]",
      .conditions = "u(x, 0) = 1[x <= a]; u(0, t) = 1",
      .citation = cite_mouli,
      .domain = space_time_domain(1, options.positive("final_time")),
      .input_kind = InputKind::function,
      .parameter = {"initial shock location", "a", {0, 1}},
      .input = {"initial condition", "1"},
      .output = {"u", "1"},
      .ranges = {{{0.45, 0.55}, {0.4, 0.45}, {0.6, 0.65}, {0.35, 0.4}}},
      .options = options.declared()};
  return std::make_unique<AdvectionIc>(std::move(description), space_time_grid(1, options));
}

}  // namespace nouq::problems
