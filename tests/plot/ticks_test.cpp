#include <cmath>

#include <gtest/gtest.h>

#include "plot/axes.h"

namespace nouq::plot {
namespace {

std::vector<std::string> labels(Range range, Scale scale, int wanted) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks_of(range, scale, wanted)) result.push_back(tick.label);
  return result;
}
using Labels = std::vector<std::string>;

TEST(Ticks, LinearOnesAreRoundAndWithinTheRange) {
  EXPECT_EQ(labels({0, 1}, Scale::linear, 5), (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels({-1.3, 2.2}, Scale::linear, 4), (Labels{"−1", "0", "1", "2"}));
  EXPECT_EQ(labels({0, 1}, Scale::linear, 4), (Labels{"0.00", "0.25", "0.50", "0.75", "1.00"}));
  for (const Tick& tick : ticks_of({0.37, 17.2}, Scale::linear, 6)) {
    EXPECT_GE(tick.at, 0.37);
    EXPECT_LE(tick.at, 17.2);
  }
}

TEST(Ticks, OfARangeOfOneBitComeToAnEnd) {
  EXPECT_LE(ticks_of({0.3, std::nextafter(0.3, 1.0)}, Scale::linear, 5).size(), 101U);
  EXPECT_LE(ticks_of({1e16, 1e16 + 2}, Scale::linear, 5).size(), 101U);
}

TEST(Ticks, SmallAndLargeNumbersCarryAPowerOfTen) {
  EXPECT_EQ(labels({0, 4e-6}, Scale::linear, 4), (Labels{"0", "1×10⁻⁶", "2×10⁻⁶", "3×10⁻⁶", "4×10⁻⁶"}));
  EXPECT_EQ(labels({-3e7, 3e7}, Scale::linear, 3), (Labels{"−2×10⁷", "0", "2×10⁷"}));
}

TEST(Ticks, LogarithmicOnesAreDecadesOrTheirParts) {
  EXPECT_EQ(labels({1e-4, 2}, Scale::log, 5), (Labels{"10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "1"}));
  EXPECT_EQ(labels({1e-12, 1}, Scale::log, 4), (Labels{"10⁻¹²", "10⁻⁸", "10⁻⁴", "1"}));
  EXPECT_EQ(labels({0.015, 0.3}, Scale::log, 5), (Labels{"0.02", "0.05", "0.1", "0.2"}));
  EXPECT_EQ(labels({1.5e-4, 6e-3}, Scale::log, 6), (Labels{"2×10⁻⁴", "5×10⁻⁴", "10⁻³", "2×10⁻³", "5×10⁻³"}));
  EXPECT_EQ(labels({3.1, 3.9}, Scale::log, 4), (Labels{"3.2", "3.4", "3.6", "3.8"}));
}

TEST(Readable, NumbersForAReader) {
  EXPECT_EQ(readable(0.2512), "0.251");
  EXPECT_EQ(readable(-12.34), "−12.3");
  EXPECT_EQ(readable(0), "0.00");
  EXPECT_EQ(readable(1.234e-5), "1.23×10⁻⁵");
  EXPECT_EQ(readable(-6.02e23, 2), "−6.0×10²³");
  EXPECT_EQ(readable(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(readable(-std::numeric_limits<double>::infinity()), "−∞");
}

}  // namespace
}  // namespace nouq::plot
