#include <limits>

#include <gtest/gtest.h>
#include <nouq/array.h>

#include "core/buffer.h"

namespace nouq {
namespace {

TEST(ElementCount, MultipliesExtents) {
  EXPECT_EQ(element_count(Shape{}), 1);
  EXPECT_EQ(element_count(Shape{7}), 7);
  EXPECT_EQ(element_count(Shape{2, 3, 5}), 30);
  EXPECT_EQ(element_count(Shape{2, 0, 5}), 0);
}

TEST(ElementCount, RefusesNegativeAndUncountableShapes) {
  EXPECT_THROW(element_count(Shape{2, -1}), Error);
  EXPECT_THROW(element_count(Shape{0, -1}), Error);
  const Index huge = std::numeric_limits<Index>::max();
  EXPECT_EQ(element_count(Shape{huge}), huge);
  EXPECT_THROW(element_count(Shape{huge, 2}), Error);
  EXPECT_THROW(element_count(Shape{Index(1) << 32, Index(1) << 31}), Error);
}

TEST(Array, BeginsOnACacheLine) {
  for (const Index size : {1, 3, 1000, 400000}) {
    Array<double> array({size});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % cache_line, 0U) << size;
    const Array<double> copy = array;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.data()) % cache_line, 0U) << size;
  }
}

TEST(Array, HoldsValuesInCOrder) {
  Array<double> array({2, 3}, {0, 1, 2, 10, 11, 12});
  EXPECT_EQ(array.rank(), 2U);
  EXPECT_EQ(array.extent(1), 3);
  EXPECT_EQ(array.size(), 6);
  EXPECT_EQ(array.row(1)[2], 12);
  EXPECT_EQ(array.row(1).row(0).size(), 1);
  EXPECT_EQ(array.row(1).row(0)[0], 10);
  array.row(0)[1] = 5;
  EXPECT_EQ(array[1], 5);
}

TEST(Array, WithoutAShapeHasAnEmptyView) {
  Array<double> none;
  EXPECT_TRUE(none.view().empty());
  EXPECT_EQ(std::as_const(none).view().size(), 0);
  EXPECT_TRUE(ArrayView<const double>(none.view()).empty());
  EXPECT_EQ(Array<double>({0, 5}).view().shape(), (Shape{0, 5}));
}

TEST(Array, IsFilledWithItsValue) {
  EXPECT_EQ(Array<int>({2, 2}), Array<int>({2, 2}, std::vector<int>{0, 0, 0, 0}));
  EXPECT_EQ(Array<int>({3}, 4), Array<int>({3}, std::vector<int>{4, 4, 4}));
  EXPECT_NE(Array<int>({4}), Array<int>({2, 2}));
  EXPECT_TRUE(Array<int>().empty());
  EXPECT_TRUE(Array<int>({3, 0}).empty());
}

TEST(Array, RefusesTheWrongNumberOfValuesNamingBoth) {
  try {
    const Array<int> array({2, 3}, std::vector<int>{1, 2, 3});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "array of shape [2, 3] given 3 values");
    EXPECT_EQ(error.kind(), Error::Kind::user);
  }
}

TEST(Array, RefusesRowsAndAxesItDoesNotHave) {
  const Array<int> array({2, 3});
  EXPECT_THROW((void)array.row(2), Error);
  EXPECT_THROW((void)array.row(-1), Error);
  EXPECT_THROW((void)array.row(0).row(0).row(0), Error);
  EXPECT_THROW((void)array.extent(2), std::out_of_range);
}

TEST(ArrayView, LooksAtSomebodyElsesValues) {
  Array<float> array({2, 2}, {1, 2, 3, 4});
  const ArrayView<float> view = array.view();
  const ArrayView<const float> reading = view;
  view[3] = 9;
  EXPECT_EQ(reading[3], 9);
  EXPECT_EQ(reading.data(), array.data());
  EXPECT_EQ(reading.span().size(), 4U);
  EXPECT_TRUE(ArrayView<int>().empty());
}

TEST(ToString, WritesAShapeForMessages) {
  EXPECT_EQ(to_string(Shape{2, 100, 20, 1}), "[2, 100, 20, 1]");
  EXPECT_EQ(to_string(Shape{}), "[]");
}

TEST(Array, KeepsItsFirstRows) {
  Array<float> array({1000, 3000}, 1.0F);
  for (Index i = 0; i < 1000; ++i) array[i * 3000 + 7] = static_cast<float>(i);
  const float* before = array.data();
  array.keep_rows(400);
  EXPECT_EQ(array.shape(), (Shape{400, 3000}));
  EXPECT_EQ(array.size(), 400 * 3000);
  EXPECT_EQ(array.data(), before) << "nothing is copied";
  for (Index i = 0; i < 400; ++i) ASSERT_EQ(array[i * 3000 + 7], static_cast<float>(i));
  EXPECT_EQ(array[400 * 3000 - 1], 1.0F) << "on the page that both share";
  Array<std::string> texts({3}, "a text that is longer than a short one");
  texts.keep_rows(1);
  EXPECT_EQ(texts, Array<std::string>({1}, "a text that is longer than a short one"));
  EXPECT_THROW(array.keep_rows(401), Error);
  EXPECT_THROW(array.keep_rows(-1), Error);
}

}  // namespace
}  // namespace nouq
