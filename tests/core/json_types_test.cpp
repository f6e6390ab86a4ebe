// JSON is destroyed although there is no memory left.
#include "core/json_types.h"

#include <array>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace nouq {
namespace {

// An emulated processor has no limit of memory that could be reached.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__aarch64__)

// Not a byte more from the system.
void take_all_memory() {
  const rlimit none{1, 1};
  ::setrlimit(RLIMIT_AS, &none);
}

// So many children that their vector must be asked of the system.
template <class T>
T large() {
  T value = T::array();
  for (int i = 0; i < 30'000; ++i) value.push_back(i);
  return {{"numbers", std::move(value)}, {"name", "a text that is too long to be kept in place"}};
}

template <class T>
[[noreturn]] void destroy_without_memory() {
  {
    const T value = large<T>();
    take_all_memory();
  }
  ::_exit(0);
}

TEST(JsonTypes, AreDestroyedWithoutMemory) {
  EXPECT_EXIT(destroy_without_memory<Json>(), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(destroy_without_memory<OrderedJson>(), testing::ExitedWithCode(0), "");
}

// All that the heap still has, and then the reserve, whose end is an exception; given back, it is there
// again.
[[noreturn]] void ask_for_more_than_the_reserve() {
  take_all_memory();
  std::array<void*, 100> pieces{};
  std::size_t count = 0;
  try {
    while (count < pieces.size()) pieces[count++] = allocate_to_destroy(600'000);
  } catch (const std::bad_alloc&) {
    release_after_destroying(pieces.at(count - 1));
    release_after_destroying(allocate_to_destroy(900'000));
    ::_exit(0);
  }
  ::_exit(1);
}

TEST(JsonTypes, TheReserveHasAnEnd) {
  EXPECT_EXIT(ask_for_more_than_the_reserve(), testing::ExitedWithCode(0), "");
}

#endif

}  // namespace
}  // namespace nouq
