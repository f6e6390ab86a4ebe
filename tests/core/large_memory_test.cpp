// Arrays beyond the budget are in files: the same values, moved, cut and grown; nothing is left in the
// folder.
#include "core/large_memory.h"

#include <numeric>

#include <gtest/gtest.h>
#include <nouq/array.h>

#include "core/file.h"
#include "data/temporary_folder.h"
#include "support/message.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

// In a process of its own: what is turned on stays on.
template <class Body>
void with_budget(const fs::path& folder, std::size_t budget, Body&& body) {
  EXPECT_EXIT(
      {
        keep_large_arrays_in_files(folder, budget);
        body();
        std::_Exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

Array<float> counted(Index count) {
  Array<float> array({count});
  std::iota(array.begin(), array.end(), 0.0F);
  return array;
}

TEST(LargeMemory, ArraysBeyondTheBudgetAreInFiles) {
  test::TemporaryFolder folder;
  with_budget(folder / "", 5 * mebibyte, [&] {
    const Array<float> small = counted(mebibyte);  // 4 MiB
    EXPECT_EQ(bytes_in_files(), 0U);
    {
      Array<float> large = counted(2 * mebibyte);
      EXPECT_EQ(bytes_in_files(), 8 * mebibyte);
      EXPECT_EQ(large[2 * mebibyte - 1], static_cast<float>(2 * mebibyte - 1));
      EXPECT_TRUE(list_files(folder / "").empty()) << "it has no name";
      const Array<float> copy = large;
      EXPECT_EQ(copy, large);
      fetch_ahead(std::as_bytes(large.span()));
      large.keep_rows(3);
      EXPECT_EQ(large, counted(3));
      const Array<float> moved = std::move(large);
      EXPECT_EQ(bytes_in_files(), 16 * mebibyte);
    }
    EXPECT_EQ(bytes_in_files(), 0U);
    EXPECT_EQ(small, counted(mebibyte));
  });
}

TEST(LargeMemory, GrowsFromMemoryIntoAFile) {
  test::TemporaryFolder folder;
  with_budget(folder / "", 2 * mebibyte, [&] {
    std::size_t size = 1000;
    auto* bytes = static_cast<unsigned char*>(grow_array(nullptr, 0, size));
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i % 251);
    for (const std::size_t larger : {std::size_t{5000}, mebibyte, 3 * mebibyte, 9 * mebibyte}) {
      bytes = static_cast<unsigned char*>(grow_array(bytes, size, larger));
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(bytes[i], i % 251);
      for (std::size_t i = size; i < larger; ++i) bytes[i] = static_cast<unsigned char>(i % 251);
      size = larger;
    }
    EXPECT_EQ(bytes_in_files(), 9 * mebibyte);
    release_array(bytes);
    EXPECT_EQ(bytes_in_files(), 0U);
  });
}

TEST(LargeMemory, WithoutAFolderAllStaysInMemory) {
  with_budget("", 0, [] {
    const Array<float> large = counted(2 * mebibyte);
    EXPECT_EQ(bytes_in_files(), 0U);
  });
}

TEST(LargeMemory, AFolderThatTakesNoFileIsNamed) {
  test::TemporaryFolder folder;
  with_budget(folder / "missing", 0, [&] {
    const std::string message = test::message_of([] { counted(mebibyte); });
    EXPECT_NE(message.find("missing: no file for an array of 4194304 bytes"), std::string::npos) << message;
  });
}

TEST(LargeMemory, TheLimitIsThatOfTheMachineOrLess) {
  EXPECT_GT(memory_limit(), mebibyte);
  EXPECT_LT(memory_limit(), std::size_t{1} << 50U);
}

}  // namespace
}  // namespace nouq
