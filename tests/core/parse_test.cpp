#include "core/parse.h"

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

}  // namespace
}  // namespace nouq
