// Darcy flow with a constant permeability: -div(k grad u) = 1 on the unit square, u = 0 on the boundary.
// u = phi / k, where -laplace phi = 1. With d(y) = |y - 1/2|,
//   phi(x, y) = x (1 - x) / 2 - (4 / pi^3) sum over odd n of sin(n pi x) / n^3 cosh(n pi d(y)) / cosh(n pi /
//   2).
//
// The terms fall like exp(-n pi (1/2 - d(y))), so x and y are swapped (phi is symmetric) where y is nearer to
// the edge, and the sum stops below rounding. No mass law: u is a steady state and its integral not
// conserved. Bounds: [0, phi(1/2, 1/2) / k].
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "problems/darcy_solver.h"
#include "problems/description.h"

namespace nouq::problems {
namespace {

using std::numbers::pi;

double distance_to_edge(double at) { return std::clamp(std::min(at, 1 - at), 0.0, 0.5); }

double phi(double x, double y) {
  if (distance_to_edge(x) <= 0 || distance_to_edge(y) <= 0) return 0;
  if (distance_to_edge(y) < distance_to_edge(x)) std::swap(x, y);
  const double edge = distance_to_edge(y);
  double sum = 0;
  for (double n = 1;; n += 2) {
    // cosh(n pi d) / cosh(n pi / 2) without overflow.
    const double decay =
        std::exp(-n * pi * edge) * (1 + std::exp(-n * pi * (1 - 2 * edge))) / (1 + std::exp(-n * pi));
    sum += std::sin(n * pi * x) * decay / (n * n * n);
    if (decay / (n * n) < 1e-17) break;
  }
  return x * (1 - x) / 2 - 4 / (pi * pi * pi) * sum;
}

class Darcy final : public Problem {
 public:
  using Problem::Problem;

  [[nodiscard]] Bounds bounds(double k, double /*t*/) const override { return {0, phi(0.5, 0.5) / k}; }
  [[nodiscard]] std::optional<double> boundary_value(double /*k*/, Side /*side*/,
                                                     double /*t*/) const override {
    return 0.0;
  }

 private:
  [[nodiscard]] Solver make_solver(const Grid& grid) const override {
    std::vector<double> shape;
    for (const double x : grid[0].coordinates) {
      for (const double y : grid[1].coordinates) shape.push_back(phi(x, y));
    }
    return [this, shape = std::move(shape)](const Draw& draw, const SampleView& sample) {
      check_parameter(draw.parameter);
      std::transform(shape.begin(), shape.end(), sample.output.begin(),
                     [&](double value) { return value / draw.parameter; });
    };
  }
};

}  // namespace

std::unique_ptr<Problem> make_darcy(const ProblemOptions& given) {
  const OptionReader options("darcy", square_options(), given);
  ProblemDescription description{
      .name = "darcy",
      .words = "Steady flow through a medium of constant permeability (linear, elliptic, 2-d)",
      .equation = "-div(k grad u) = 1 on [0, 1]^2",
      .conditions = "u = 0 on the boundary",
      .citation = cite_mouli,
      .domain = square_domain(),
      .input_kind = InputKind::parameter,
      .parameter = {"permeability", "k", {0, std::numeric_limits<double>::infinity()}},
      .input = {"permeability", "1"},
      .output = {"pressure", "1"},
      .ranges = {{{3, 4}, {4, 4.5}, {4.5, 5}, {5, 6}}},
      .options = options.declared()};
  return std::make_unique<Darcy>(std::move(description), square_grid(options));
}

}  // namespace nouq::problems
