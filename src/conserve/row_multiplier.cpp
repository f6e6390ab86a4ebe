#include <algorithm>
#include <cmath>
#include <limits>

#include "conserve/bounded_rows.h"
#include "core/error.h"

namespace nouq {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Point {
  double value;  // F
  double slope;  // -F'
  double size;   // of the terms of F, by which rounding is judged
};

Point evaluate(const RowEquation& e, double lambda) {
  double sum = 0, slope = 0, size = 0;
  const double *value = e.value.data(), *step = e.step.data(), *weight = e.weight.data();
  const double *lower = e.lower.data(), *upper = e.upper.data();
  const std::size_t count = e.value.size();
#pragma omp simd reduction(+ : sum, slope, size)
  for (std::size_t i = 0; i < count; ++i) {
    const double free = value[i] - lambda * step[i];
    const double u = std::min(std::max(free, lower[i]), upper[i]);
    const double term = weight[i] * u;
    sum += term;
    size += std::abs(term);
    slope += u == free ? weight[i] * step[i] : 0.0;
  }
  return {sum - e.target - e.noise_variance * lambda, slope + e.noise_variance, size + std::abs(e.target)};
}

// Beyond this lambda, in the given direction, every value has left the bound behind it and reached the one
// ahead, if there is one.
double last_breakpoint(const RowEquation& e, double direction) {
  double last = 0;
  for (std::size_t i = 0; i < e.value.size(); ++i) {
    if (e.step[i] == 0) continue;
    for (const double bound : {e.lower[i], e.upper[i]}) {
      const double at = (e.value[i] - bound) / e.step[i];
      if (std::isfinite(at)) last = direction * std::max(direction * last, direction * at);
    }
  }
  return last * (1 + 1e-12);
}

// What rounding is measured by where values have been moved to almost nothing: what they were before, and by
// how much they were moved. Values at a bound are exact.
double size_before_cancelling(const RowEquation& e, double lambda) {
  double size = std::abs(e.target);
  for (std::size_t i = 0; i < e.value.size(); ++i) {
    const double move = lambda * e.step[i], free = e.value[i] - move;
    const double u = std::clamp(free, e.lower[i], e.upper[i]);
    size += std::abs(e.weight[i]) * (u == free ? std::abs(e.value[i]) + std::abs(move) : std::abs(u));
  }
  return size;
}

// Where to look next: Newton's point when it lies inside the bracket, else the middle, else the far end.
double next_lambda(const RowEquation& e, double lambda, const Point& at, double low, double high) {
  const double newton = at.slope > 0 ? lambda + at.value / at.slope : infinity;
  if (newton > low && newton < high) return newton;
  if (std::isfinite(low) && std::isfinite(high)) return low + 0.5 * (high - low);
  return last_breakpoint(e, at.value > 0 ? 1 : -1);
}

}  // namespace

RowMultiplier solve_row(const RowEquation& equation) {
  double low = -infinity, high = infinity, lambda = 0;
  constexpr int enough = 2000;  // bisection alone would need about 1100
  Point at{};
  for (int step = 0; step < enough; ++step) {
    at = evaluate(equation, lambda);
    if (std::abs(at.value) <= 1e-14 * at.size) return {lambda, 0};
    (at.value > 0 ? low : high) = lambda;
    const double next = next_lambda(equation, lambda, at, low, high);
    // Nowhere left to go: rounding, or bounds that do not allow the target.
    if (next == lambda || next <= low || next >= high) break;
    lambda = next;
  }
  const bool rounding = std::abs(at.value) <= 1e-12 * at.size ||
                        std::abs(at.value) <= 1e-14 * size_before_cancelling(equation, lambda);
  return {lambda, rounding ? 0 : at.value};
}

}  // namespace nouq
