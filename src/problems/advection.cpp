// Linear advection u_t + beta u_x = 0 on [0, 1], u(x, 0) = 1[x <= 0.5], u(0, t) = 1: the step moves to the
// right, u = 1[x - beta t <= 0.5].
//
// Mass law: everything left of the step, b(t) = min(0.5 + beta t, 1); the minimum is the step leaving at x
// = 1. Bounds: [0, 1].
#include <algorithm>
#include <memory>

#include "problems/description.h"
#include "problems/space_time.h"

namespace nouq::problems {
namespace {

constexpr double start = 0.5;

class Advection final : public SpaceTimeProblem {
 public:
  using SpaceTimeProblem::SpaceTimeProblem;
  [[nodiscard]] Bounds bounds(double /*beta*/, double /*t*/) const override { return {0, 1}; }

 private:
  [[nodiscard]] ExactSolution exact(double beta) const override {
    ExactSolution solution;
    solution.value = [beta](double x, double t) { return x - beta * t <= start ? 1.0 : 0.0; };
    solution.mass = [beta](double t) { return std::min(start + beta * t, 1.0); };
    return solution;
  }
};

}  // namespace

std::unique_ptr<Problem> make_advection(const ProblemOptions& given) {
  const OptionReader options("advection", space_time_options("1"), given);
  ProblemDescription description{.name = "advection",
                                 .words = "A step carried along with a constant speed (linear, hyperbolic)",
                                 .equation = "u_t + beta u_x = 0 on [0, 1]",
                                 .conditions = "u(x, 0) = 1[x <= 0.5]; u(0, t) = 1",
                                 .citation = cite_hansen,
                                 .domain = space_time_domain(1, options.positive("final_time")),
                                 .input_kind = InputKind::parameter,
                                 .parameter = {"speed", "beta", {0, std::numeric_limits<double>::infinity()}},
                                 .input = {"speed", "1"},
                                 .output = {"u", "1"},
                                 .ranges = {{{1, 2}, {0.5, 1}, {2.5, 3}, {3, 3.5}}},
                                 .options = options.declared()};
  return std::make_unique<Advection>(std::move(description), space_time_grid(1, options));
}

}  // namespace nouq::problems
