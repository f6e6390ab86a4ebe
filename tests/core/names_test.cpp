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

TEST(IndexOfName, IsThePlaceInTheList) {
  const std::vector<std::string> names = {"heat", "pme", "stefan"};
  EXPECT_EQ(index_of_name("problem", "stefan", names), 2U);
  EXPECT_THROW((void)index_of_name("problem", "head", names), Error);
}

TEST(FindNamed, GivesTheItemOrNothing) {
  struct Item {
    std::string name;
    int value;
  };
  const std::vector<Item> items = {{"a", 1}, {"b", 2}};
  ASSERT_NE(find_named(items, "b"), nullptr);
  EXPECT_EQ(find_named(items, "b")->value, 2);
  EXPECT_EQ(find_named(items, "c"), nullptr);
}

}  // namespace
}  // namespace nouq
