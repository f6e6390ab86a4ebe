#include "kernels/target.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace nouq {
namespace {

TEST(Target, TheBestIsUsedUnlessAnotherIsForced) {
  const auto targets = supported_targets();
  ASSERT_FALSE(targets.empty());
  EXPECT_EQ(targets.front(), Target::portable);
  EXPECT_EQ(current_target(), targets.back());
  for (const Target target : targets) {
    force_target(target);
    EXPECT_EQ(current_target(), target);
  }
  EXPECT_EQ(current_target(), targets.back());
}

// NOUQ_TARGET, as the build was asked for it.
TEST(Target, NoneIsBetterThanTheBuildAskedFor) {
  const std::vector<std::string> names = {"portable", "avx2", "avx512"};
  const auto asked = std::find(names.begin(), names.end(), NOUQ_TARGET) - names.begin();
  for (const Target target : supported_targets()) EXPECT_LE(static_cast<int>(target), asked) << name(target);
}

TEST(Target, OneThisProcessorLacksIsRefusedByName) {
  const auto targets = supported_targets();
  for (const Target target : {Target::portable, Target::avx2, Target::avx512}) {
    if (std::find(targets.begin(), targets.end(), target) != targets.end()) continue;
    try {
      force_target(target);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(name(target)), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace nouq
