#include "conserve/quadrature.h"

#include <cmath>

#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

void check_points(std::string_view rule, std::span<const double> x, std::size_t least) {
  require(x.size() >= least, "the {} rule needs at least {} points, got {}", rule, least, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    require(std::isfinite(x[i]), "the {} rule: coordinate {} is {}", rule, i, x[i]);
    require(i == 0 || x[i] > x[i - 1], "the {} rule: coordinates must increase, but {} follows {}", rule,
            x[i], x[i == 0 ? 0 : i - 1]);
  }
}

// The integral over [x_i, x_i+2] of the parabola through its three points.
void add_parabola(std::span<const double> x, std::size_t i, std::vector<double>& weights) {
  const double h0 = x[i + 1] - x[i], h1 = x[i + 2] - x[i + 1], sixth = (h0 + h1) / 6;
  weights[i] += sixth * (2 - h1 / h0);
  weights[i + 1] += sixth * (h0 + h1) * (h0 + h1) / (h0 * h1);
  weights[i + 2] += sixth * (2 - h0 / h1);
}

// The integral over the last interval alone of the parabola through the last three points.
void add_last_interval(std::span<const double> x, std::vector<double>& weights) {
  const std::size_t n = x.size();
  const double h0 = x[n - 2] - x[n - 3], h1 = x[n - 1] - x[n - 2];
  weights[n - 3] -= h1 * h1 * h1 / (6 * h0 * (h0 + h1));
  weights[n - 2] += h1 * (h1 + 3 * h0) / (6 * h0);
  weights[n - 1] += h1 * (2 * h1 + 3 * h0) / (6 * (h0 + h1));
}

}  // namespace

std::vector<std::string> quadrature_names() { return {"trapezoid", "simpson", "midpoint", "automatic"}; }

Quadrature quadrature_from_name(std::string_view name) {
  return static_cast<Quadrature>(index_of_name("quadrature rule", name, quadrature_names()));
}

std::vector<double> trapezoid_weights(std::span<const double> x) {
  check_points("trapezoid", x, 2);
  std::vector<double> weights(x.size(), 0.0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double half = 0.5 * (x[i + 1] - x[i]);
    weights[i] += half;
    weights[i + 1] += half;
  }
  return weights;
}

std::vector<double> simpson_weights(std::span<const double> x) {
  check_points("simpson", x, 3);
  std::vector<double> weights(x.size(), 0.0);
  for (std::size_t i = 0; i + 2 < x.size(); i += 2) add_parabola(x, i, weights);
  if (x.size() % 2 == 0) add_last_interval(x, weights);
  return weights;
}

std::vector<double> midpoint_weights(std::span<const double> x) {
  check_points("midpoint", x, 2);
  const std::size_t last = x.size() - 1;
  std::vector<double> weights(x.size());
  weights[0] = x[1] - x[0];
  weights[last] = x[last] - x[last - 1];
  for (std::size_t i = 1; i < last; ++i) weights[i] = 0.5 * (x[i + 1] - x[i - 1]);
  return weights;
}

std::vector<double> quadrature_weights(Quadrature rule, const Axis& axis) {
  if (rule == Quadrature::automatic)
    rule = axis.kind == AxisKind::points ? Quadrature::trapezoid : Quadrature::midpoint;
  if (rule == Quadrature::simpson) return simpson_weights(axis.coordinates);
  if (rule == Quadrature::midpoint) return midpoint_weights(axis.coordinates);
  return trapezoid_weights(axis.coordinates);
}

}  // namespace nouq
