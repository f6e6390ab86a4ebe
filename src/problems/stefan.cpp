// The Stefan problem u_t = (k(u) u_x)_x with k(u) = 1[u >= u*] on [0, 1], u(x, 0) = 0, u(0, t) = 1: u
// diffuses behind a shock at x = alpha sqrt(t), where it falls from u* to 0.
//
//   u = 1 - c erf(x / (2 sqrt t)) for x <= alpha sqrt t, else 0;  c = (1 - u*) / erf(z), alpha = 2 z,
// where z balances the flux into the shock with the shock's speed: u* sqrt(pi) z exp(z^2) erf(z) = 1 - u*.
//
// This is the solution on the half line x >= 0, restricted to [0, 1]. The mass on [0, 1] is the integral up
// to X = min(1, alpha sqrt t); as long as the shock is inside that is what entered, b(t) = 2 c sqrt(t / pi);
// later
//   b(t) = X - c (X erf(X / (2 sqrt t)) + 2 sqrt(t / pi) (exp(-X^2 / (4 t)) - 1)).
// Bounds: [0, 1].
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "problems/description.h"
#include "problems/space_time.h"

namespace nouq::problems {
namespace {

struct Shock {
  double alpha;  // the shock is at alpha sqrt(t)
  double c;
};

// Newton for z in log(u* sqrt(pi) z exp(z^2) erf(z)) = log(1 - u*). In s = log z the left side increases with
// a slope between 2 and 2 + 2 z^2 and is convex, so Newton from the right never overshoots.
Shock shock_of(double u_star) {
  const double target = std::log1p(-u_star) - std::log(u_star) - 0.5 * std::log(std::numbers::pi);
  double z = std::max(1.0, std::sqrt(std::max(target, 0.0)) + 1);
  for (int step = 0; step < 200; ++step) {
    const double residual = std::log(z) + z * z + std::log(std::erf(z)) - target;
    const double slope = 1 / z + 2 * z + 2 * std::numbers::inv_sqrtpi * std::exp(-z * z) / std::erf(z);
    const double factor = std::exp(-residual / (slope * z));
    z *= factor;
    if (std::abs(factor - 1) < 1e-15) break;
  }
  return {2 * z, (1 - u_star) / std::erf(z)};
}

double stefan_mass(const Shock& shock, double t) {
  if (t <= 0) return 0;
  const double inflow = 2 * shock.c * std::sqrt(t) * std::numbers::inv_sqrtpi;
  if (shock.alpha * std::sqrt(t) <= 1) return inflow;
  return 1 - shock.c * std::erf(0.5 / std::sqrt(t)) - inflow * std::expm1(-0.25 / t);
}

class Stefan final : public SpaceTimeProblem {
 public:
  using SpaceTimeProblem::SpaceTimeProblem;
  [[nodiscard]] Bounds bounds(double /*u_star*/, double /*t*/) const override { return {0, 1}; }

 private:
  [[nodiscard]] ExactSolution exact(double u_star) const override {
    const Shock shock = shock_of(u_star);
    ExactSolution solution;
    solution.value = [shock](double x, double t) {
      if (x <= 0) return 1.0;
      if (t <= 0 || x > shock.alpha * std::sqrt(t)) return 0.0;
      return 1 - shock.c * std::erf(x / (2 * std::sqrt(t)));
    };
    solution.mass = [shock](double t) { return stefan_mass(shock, t); };
    return solution;
  }
};

}  // namespace

std::unique_ptr<Problem> make_stefan(const ProblemOptions& given) {
  const OptionReader options("stefan", space_time_options("0.1"), given);
  ProblemDescription description{
      .name = "stefan",
      .words = "Melting: diffusion behind a moving shock (nonlinear, degenerate parabolic, discontinuous)",
      .equation = "u_t = (k(u) u_x)_x, k(u) = 1[u >= u*] on [0, 1]",
      .conditions =
          "u(x, 0) = 0; u(0, t) = 1; u(1, t) = 0 until the shock arrives (half-line solution after)",
      .citation = cite_maddix,
      .domain = space_time_domain(1, options.positive("final_time")),
      .input_kind = InputKind::parameter,
      .parameter = {"shock value", "u*", {0, 1}},
      .input = {"shock value", "1"},
      .output = {"u", "1"},
      .ranges = {{{0.6, 0.65}, {0.55, 0.6}, {0.7, 0.75}, {0.5, 0.55}}},
      .options = options.declared()};
  return std::make_unique<Stefan>(std::move(description), space_time_grid(1, options));
}

}  // namespace nouq::problems
