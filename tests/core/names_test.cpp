#include "core/names.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace nouq {
namespace {

TEST(EditDistance, CountsInsertionsRemovalsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("", "ab"), 2U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestName, IsOffered) {
  const std::vector<std::string> names = {"heat", "pme", "stefan"};
  EXPECT_EQ(nearest_name("stephan", names), "stefan");
  try {
    fail_unknown_name("problem", "head", names);
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown problem 'head'; did you mean 'heat'? Valid: heat, pme, stefan");
  }
}

}  // namespace
}  // namespace nouq
