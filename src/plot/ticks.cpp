#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "plot/axes.h"

namespace nouq::plot {
namespace {

std::string with_true_minus(std::string text) {
  if (!text.empty() && text[0] == '-') text.replace(0, 1, "−");
  return text;
}

std::string superscript(int exponent) {
  static const std::array<const char*, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

std::string power_of_ten(int exponent) {
  if (exponent == 0) return "1";
  if (exponent == 1) return "10";
  return "10" + superscript(exponent);
}

int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9)); }

// The nearest of 1, 2, 2.5, 5 times a power of ten.
double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double nearest = power;
  for (const double factor : {2.0, 2.5, 5.0, 10.0}) {
    if (std::abs(std::log(factor * power / rough)) < std::abs(std::log(nearest / rough)))
      nearest = factor * power;
  }
  return nearest;
}

// How many decimals show `step` exactly (steps are 1, 2, 2.5 or 5 times a power of ten).
int decimals_of(double step) {
  int decimals = std::max(0, -exponent_of(step));
  const double scaled = step * std::pow(10.0, decimals);
  if (std::abs(scaled - std::round(scaled)) > 1e-6) ++decimals;
  return decimals;
}

// Very small and very large numbers share a power of ten, which each label carries.
std::vector<Tick> labelled(const std::vector<double>& places, double step) {
  double largest = 0;
  for (const double place : places) largest = std::max(largest, std::abs(place));
  const int exponent = largest > 0 ? exponent_of(largest) : 0;
  const bool scaled = exponent < -3 || exponent > 4;
  const double unit = scaled ? std::pow(10.0, exponent) : 1;
  const int decimals = decimals_of(step / unit);
  std::vector<Tick> ticks;
  for (const double place : places) {
    std::string label = with_true_minus(fmt::format("{:.{}f}", place / unit, decimals));
    if (scaled) label = place == 0 ? "0" : fmt::format("{}×{}", label, power_of_ten(exponent));
    ticks.push_back({place, label});
  }
  return ticks;
}

std::vector<Tick> linear_ticks(Range range, int wanted) {
  const double step = round_step((range.high - range.low) / std::max(1, wanted));
  const double slack = 1e-9 * (range.high - range.low);
  // Counted from the first: so many steps from zero that one more is lost in rounding must not go on for
  // ever.
  const double first = std::ceil((range.low - slack) / step);
  const double last = std::min(std::floor((range.high + slack) / step), first + 20 * std::max(1, wanted));
  std::vector<double> places;
  for (int i = 0; i <= static_cast<int>(last - first); ++i)
    places.push_back((first + i) * step + 0.0);  // no minus zero
  return labelled(places, step);
}

std::vector<Tick> decades(int first, int last, int stride) {
  std::vector<Tick> ticks;
  for (int e = first; e <= last; ++e) {
    if ((e - first) % stride == 0) ticks.push_back({std::pow(10.0, e), power_of_ten(e)});
  }
  return ticks;
}

// Fewer than two decades: 1, 2 and 5 of each, all as plain numbers or all with powers of ten.
std::vector<Tick> within_decades(Range range) {
  const bool plain = range.low >= 1e-3 && range.high < 1e5;
  std::vector<Tick> ticks;
  for (int e = exponent_of(range.low); e <= exponent_of(range.high); ++e) {
    for (const int factor : {1, 2, 5}) {
      const double place = factor * std::pow(10.0, e);
      if (place < range.low * (1 - 1e-9) || place > range.high * (1 + 1e-9)) continue;
      const std::string power = (factor == 1 ? "" : std::to_string(factor) + "×") + power_of_ten(e);
      ticks.push_back({place, plain ? fmt::format("{:.{}f}", place, std::max(0, -e)) : power});
    }
  }
  return ticks;
}

std::vector<Tick> log_ticks(Range range, int wanted) {
  const int first = static_cast<int>(std::ceil(std::log10(range.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(range.high) + 1e-9));
  if (last - first >= 2) return decades(first, last, (last - first) / std::max(1, wanted) + 1);
  auto ticks = within_decades(range);
  if (static_cast<int>(ticks.size()) > wanted + 1 && last > first) return decades(first, last, 1);
  return ticks.size() >= 2 ? ticks : linear_ticks(range, wanted);
}

}  // namespace

std::vector<Tick> ticks_of(Range range, Scale scale, int wanted) {
  return scale == Scale::log ? log_ticks(range, wanted) : linear_ticks(range, wanted);
}

std::string readable(double value, int digits) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  const int exponent = value == 0 ? 0 : exponent_of(value);
  if (exponent >= -3 && exponent < 5)
    return with_true_minus(fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent)));
  const double mantissa = value / std::pow(10.0, exponent);
  if (digits == 1 && std::abs(mantissa - 1) < 1e-9) return power_of_ten(exponent);
  return with_true_minus(fmt::format("{:.{}f}×10{}", mantissa, digits - 1, superscript(exponent)));
}

}  // namespace nouq::plot
