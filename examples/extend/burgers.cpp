// The problem "burgers": u_t + u u_x = nu u_xx, a travelling front between 1 and 0.
//
//   u(x, t) = 1/2 (1 - tanh((x - x0 - t/2) / (4 nu)))
//
// solves it exactly (Whitham, Linear and Nonlinear Waves, 1974, section 4.2). The parameter is the viscosity
// nu: the smaller, the steeper the front. One file: description, solution, bounds.
#include <cmath>

#include <nouq/problem.h>

#include "extensions.h"

namespace {

constexpr double start = 0.25;  // of the front

double solution(double x, double t, double nu) {
  return 0.5 * (1 - std::tanh((x - start - 0.5 * t) / (4 * nu)));
}

nouq::ProblemDescription describe() {
  nouq::ProblemDescription d;
  d.name = "burgers";
  d.words = "a front that travels and keeps its shape";
  d.equation = "u_t + u u_x = nu u_xx";
  d.conditions = "u -> 1 on the left, 0 on the right";
  d.citation = "Whitham (1974)";
  d.domain = {{{"x", ""}, 0, 1}, {{"t", ""}, 0, 1}};
  d.parameter = {"viscosity", "nu", {0, 1}};
  d.input = {"nu", ""};
  d.output = {"u", ""};
  d.ranges = {nouq::ParameterRange{0.02, 0.05}, {0.015, 0.02}, {0.01, 0.015}, {0.005, 0.01}};
  return d;
}

class Burgers final : public nouq::Problem {
 public:
  Burgers()
      : Problem(describe(), {{"x", "", nouq::linspace(0, 1, 32)}, {"t", "", nouq::linspace(0, 1, 8)}}) {}

  // The maximum principle.
  [[nodiscard]] nouq::Bounds bounds(double, double) const override { return {0, 1}; }

 private:
  [[nodiscard]] nouq::Solver make_solver(const nouq::Grid& grid) const override {
    return [grid](const nouq::Draw& draw, const nouq::SampleView& sample) {
      std::size_t at = 0;
      for (const double x : grid[0].coordinates) {
        for (const double t : grid[1].coordinates) sample.output[at++] = solution(x, t, draw.parameter);
      }
    };
  }
};

}  // namespace

void add_burgers() {
  nouq::register_problem("burgers", [](const nouq::ProblemOptions&) { return std::make_unique<Burgers>(); });
}
