// In standard units, with c = 0 inside [a, b]: E z^2 = 1 + (a phi(a) - b phi(b)) / (Phi(b) - Phi(a)). That
// cancels when the interval is short, and has no digits left when it lies in a tail; there the integrals of
// y^2 exp(-a y - y^2/2) and exp(-a y - y^2/2), y the distance from c, are computed by Gauss's rule.
#include "core/normal.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace nouq {
namespace {

constexpr std::size_t half_nodes = 12;  // a rule of 24 points

struct Rule {
  std::array<double, half_nodes> node, weight;
};

// Gauss-Legendre on [-1, 1]: the positive nodes, by Newton's method on the Legendre polynomial.
Rule make_rule() {
  constexpr int degree = 2 * half_nodes;
  Rule rule{};
  for (std::size_t i = 0; i < half_nodes; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (degree + 0.5)), slope = 1;
    for (int step = 0; step < 20; ++step) {
      double before = 1, now = x;
      for (int n = 2; n <= degree; ++n) {
        const double next = ((2 * n - 1) * x * now - (n - 1) * before) / n;
        before = now;
        now = next;
      }
      slope = degree * (x * now - before) / (x * x - 1);
      x -= now / slope;
    }
    rule.node[i] = x;
    rule.weight[i] = 2 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

// E y^2 under the density exp(-a y - y^2 / 2) on [0, length].
double tail_deviation(double a, double length) {
  static const Rule rule = make_rule();
  const double reach = 80 / (a + std::sqrt(a * a + 80));  // where the density has fallen by exp(-40)
  const double half = 0.5 * std::min(length, reach);
  double squares = 0, total = 0;
  for (std::size_t i = 0; i < half_nodes; ++i) {
    for (const double sign : {-1.0, 1.0}) {
      const double y = half * (1 + sign * rule.node[i]);
      const double density = rule.weight[i] * std::exp(-y * (a + 0.5 * y));
      total += density;
      squares += density * y * y;
    }
  }
  return squares / total;
}

// E z^2 on [a, b] with a <= 0 <= b.
double central_deviation(double a, double b) {
  const double inside = normal_distribution(b) - normal_distribution(a);
  const double left = std::isfinite(a) ? a * normal_density(a) : 0;
  const double right = std::isfinite(b) ? b * normal_density(b) : 0;
  if (b - a > 1) return 1 + (left - right) / inside;
  const double below = tail_deviation(0, -a), above = tail_deviation(0, b);
  const double share = (0.5 - normal_distribution(a)) / inside;
  return share * below + (1 - share) * above;
}

}  // namespace

double truncated_deviation(double mean, double variance, double lower, double upper) {
  if (variance <= 0 || lower >= upper) return 0;
  const double sigma = std::sqrt(variance), a = (lower - mean) / sigma, b = (upper - mean) / sigma;
  constexpr double far = 9;
  if (a < -far && b > far) return variance;
  if (a > 0) return variance * tail_deviation(a, b - a);
  if (b < 0) return variance * tail_deviation(-b, b - a);
  return variance * central_deviation(a, b);
}

}  // namespace nouq
