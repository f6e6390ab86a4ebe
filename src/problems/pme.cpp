// The porous medium equation u_t = (u^m u_x)_x on [0, 1], u(x, 0) = 0: a front that enters at x = 0 and moves
// with speed one, u = (m max(t - x, 0))^(1/m).
//
// Mass law: the integral of u from 0 to min(t, 1),
//   b(t) = m^(1+1/m)/(m+1) (t^(1+1/m) - max(t-1, 0)^(1+1/m));
// the second term is what has left once the front passed x = 1. Bounds: [0, (m t)^(1/m)], the value at x = 0.
#include <algorithm>
#include <cmath>
#include <memory>

#include "problems/description.h"
#include "problems/space_time.h"

namespace nouq::problems {
namespace {

class Pme final : public SpaceTimeProblem {
 public:
  using SpaceTimeProblem::SpaceTimeProblem;

  [[nodiscard]] Bounds bounds(double m, double t) const override {
    return {0, std::pow(m * std::max(t, 0.0), 1 / m)};
  }

 private:
  [[nodiscard]] ExactSolution exact(double m) const override {
    ExactSolution solution;
    solution.value = [m](double x, double t) { return t > x ? std::pow(m * (t - x), 1 / m) : 0.0; };
    solution.mass = [m, power = 1 + 1 / m](double t) {
      const double outflow = std::pow(std::max(t - 1, 0.0), power);
      return std::pow(m, power) / (m + 1) * (std::pow(t, power) - outflow);
    };
    return solution;
  }
};

}  // namespace

std::unique_ptr<Problem> make_pme(const ProblemOptions& given) {
  const OptionReader options("pme", space_time_options("1"), given);
  ProblemDescription description{
      .name = "pme",
      .words = "Flow through a porous medium: a front with infinite slope (nonlinear, degenerate parabolic)",
      .equation = "u_t = (u^m u_x)_x on [0, 1]",
      .conditions = "u(x, 0) = 0; u(0, t) = (m t)^(1/m); u(1, t) = (m max(t - 1, 0))^(1/m)",
      .citation = cite_vazquez,
      .domain = space_time_domain(1, options.positive("final_time")),
      .input_kind = InputKind::parameter,
      .parameter = {"degree", "m", {0, std::numeric_limits<double>::infinity()}},
      .input = {"degree", "1"},
      .output = {"u", "1"},
      .ranges = {{{2, 3}, {1, 2}, {4, 5}, {5, 6}}},
      .options = options.declared()};
  return std::make_unique<Pme>(std::move(description), space_time_grid(1, options));
}

}  // namespace nouq::problems
