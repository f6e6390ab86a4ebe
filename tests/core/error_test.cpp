#include "core/error.h"

#include <gtest/gtest.h>

namespace nouq {
namespace {

Error caught(void (*action)()) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return {Error::Kind::failure, "no error"};
}

TEST(Error, FailBlamesTheRequest) {
  const Error error = caught([] { fail("width = {}: expected {} or more", 0, 1); });
  EXPECT_STREQ(error.what(), "width = 0: expected 1 or more");
  EXPECT_EQ(error.kind(), Error::Kind::user);
}

TEST(Error, FailInternallyBlamesTheMachine) {
  const Error error = caught([] { throw_failure("disk {} is full", "a"); });
  EXPECT_STREQ(error.what(), "disk a is full");
  EXPECT_EQ(error.kind(), Error::Kind::failure);
}

TEST(Error, RequireThrowsOnlyWhenTheConditionFails) {
  EXPECT_NO_THROW(require(true, "never {}", 1));
  const Error error = caught([] { require(false, "braces {{}} and {}", "values"); });
  EXPECT_STREQ(error.what(), "braces {} and values");
  EXPECT_EQ(error.kind(), Error::Kind::user);
}

TEST(Error, IsAStandardException) { EXPECT_THROW(fail("x"), std::runtime_error); }

}  // namespace
}  // namespace nouq
