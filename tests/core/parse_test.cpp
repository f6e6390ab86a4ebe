#include "core/parse.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace nouq {
namespace {

TEST(Parse, AllOfTheTextOrNothing) {
  std::int64_t whole = 0;
  EXPECT_TRUE(parse_number("-42", whole));
  EXPECT_EQ(whole, -42);
  double real = 0;
  EXPECT_TRUE(parse_number("2.5e-3", real));
  EXPECT_EQ(real, 2.5e-3);
  for (const char* text : {"", " 1", "1 ", "1x", "+1", "1,5", "--1"}) {
    EXPECT_FALSE(parse_number(text, whole)) << text;
    EXPECT_FALSE(parse_number(text, real)) << text;
  }
  EXPECT_FALSE(parse_number("9223372036854775808", whole));
  EXPECT_FALSE(parse_number("1.0", whole));
  EXPECT_FALSE(parse_number("1e999", real));
}

TEST(Digits, AsManyAsAreAskedFor) {
  EXPECT_EQ(with_digits(1234.5678, 3), 1230.0);
  EXPECT_EQ(with_digits(-0.00123456, 2), -0.0012);
  EXPECT_EQ(with_digits(9.99, 1), 10.0);
  EXPECT_EQ(with_digits(0.0, 5), 0.0);
  EXPECT_EQ(with_digits(INFINITY, 5), INFINITY);
  EXPECT_TRUE(std::isnan(with_digits(NAN, 5)));
}

}  // namespace
}  // namespace nouq
