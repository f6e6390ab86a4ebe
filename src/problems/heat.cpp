// The heat equation u_t = k u_xx on [0, 2 pi], u(x, 0) = sin x, u = 0 at both ends: u = exp(-k t) sin x.
//
// Mass law: the sine's halves cancel, b(t) = 0. Bounds: the initial values, [-1, 1].
//
// The option data=released gives the data of the code published with the paper instead. It treats 1000 points
// that include both ends as one period, so sin x gets a small kink there; evolves them by a discrete
// Fourier transform; and interpolates linearly. That differs from the closed form by up to 3e-3, at the ends.
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <vector>

#include "problems/description.h"
#include "problems/space_time.h"

namespace nouq::problems {
namespace {

constexpr double length = 2.0 * std::numbers::pi;

// The released code's solution at any x (between its points: linear) and t.
class ReleasedHeat {
 public:
  ReleasedHeat() : roots_(points), modes_(points / 2 + 1) {
    for (std::size_t j = 0; j < points; ++j) {
      roots_[j] = std::polar(1.0, length * static_cast<double>(j) / static_cast<double>(points));
    }
    for (std::size_t n = 0; n < modes_.size(); ++n) {
      for (std::size_t j = 0; j < points; ++j) {
        modes_[n] += std::sin(fine_x(j)) * std::conj(roots_[n * j % points]) / static_cast<double>(points);
      }
    }
  }

  [[nodiscard]] double value(double k, double x, double t) const {
    const double position = std::clamp(x / length, 0.0, 1.0) * static_cast<double>(points - 1);
    const auto left = std::min(static_cast<std::size_t>(position), points - 2);
    const double weight = position - static_cast<double>(left);
    return (1 - weight) * at_point(k, left, t) + weight * at_point(k, left + 1, t);
  }

 private:
  static constexpr std::size_t points = 1000;

  static double fine_x(std::size_t j) {
    return length * static_cast<double>(j) / static_cast<double>(points - 1);
  }

  // Sum of the decaying modes. The data are real, so mode n and its mirror image add up to twice the real
  // part; modes that have decayed below rounding are left out.
  [[nodiscard]] double at_point(double k, std::size_t j, double t) const {
    double sum = modes_[0].real();
    for (std::size_t n = 1; n < modes_.size(); ++n) {
      const double exponent = k * static_cast<double>(n * n) * t;
      if (exponent > 45) break;
      const double multiplicity = 2 * n == points ? 1 : 2;
      sum += multiplicity * std::exp(-exponent) * (modes_[n] * roots_[n * j % points]).real();
    }
    return sum;
  }

  std::vector<std::complex<double>> roots_;
  std::vector<std::complex<double>> modes_;
};

class Heat final : public SpaceTimeProblem {
 public:
  Heat(ProblemDescription description, Grid grid, bool released)
      : SpaceTimeProblem(std::move(description), std::move(grid)),
        released_(released ? std::make_unique<ReleasedHeat>() : nullptr) {}

  [[nodiscard]] Bounds bounds(double /*k*/, double /*t*/) const override { return {-1, 1}; }

 private:
  [[nodiscard]] ExactSolution exact(double k) const override {
    ExactSolution solution;
    solution.mass = [](double) { return 0.0; };
    if (released_) {
      solution.value = [k, this](double x, double t) { return released_->value(k, x, t); };
    } else {
      solution.value = [k](double x, double t) { return std::exp(-k * t) * std::sin(x); };
    }
    return solution;
  }

  std::unique_ptr<ReleasedHeat> released_;
};

}  // namespace

std::unique_ptr<Problem> make_heat(const ProblemOptions& given) {
  const OptionReader options(
      "heat",
      space_time_options("1",
                         {{"data", "exact", "exact: closed form; released: as the paper's code makes it"}}),
      given);
  ProblemDescription description{
      .name = "heat",
      .words = "Diffusion of heat with a constant diffusivity (smooth, linear, parabolic)",
      .equation = "u_t = k u_xx on [0, 2 pi]",
      .conditions = "u(x, 0) = sin x; u(0, t) = u(2 pi, t) = 0",
      .citation = cite_mouli,
      .domain = space_time_domain(length, options.positive("final_time")),
      .input_kind = InputKind::parameter,
      .parameter = {"diffusivity", "k", {0, std::numeric_limits<double>::infinity()}},
      .input = {"diffusivity", "1"},
      .output = {"u", "1"},
      .ranges = {{{1, 5}, {5, 6}, {6, 7}, {7, 8}}},
      .options = options.declared()};
  const bool released = options.choice("data", {"exact", "released"}) == "released";
  return std::make_unique<Heat>(std::move(description), space_time_grid(length, options), released);
}

}  // namespace nouq::problems
