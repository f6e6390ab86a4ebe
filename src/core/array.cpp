// The memory of arrays and buffers, and what arrays refuse.
#include <cstdint>
#include <cstdlib>
#include <new>

#include <nouq/array.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/buffer.h"
#include "core/error.h"
#include "core/large_memory.h"

namespace nouq {

void* allocate(std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{2} << 20U;
  const std::size_t alignment = bytes >= huge_page ? huge_page : cache_line;
  const std::size_t rounded = (bytes + cache_line - 1) / cache_line * cache_line;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, rounded == 0 ? cache_line : rounded) != 0) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // A hint: its failure changes nothing but speed. The last, partial page stays small.
  if (alignment == huge_page) (void)madvise(memory, rounded / huge_page * huge_page, MADV_HUGEPAGE);
#endif
  return memory;
}

void release(void* memory) { std::free(memory); }

void give_back(void* memory, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  if (first < last) (void)madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace nouq

namespace nouq::detail {

void* allocate_aligned(std::size_t bytes) { return allocate_array(bytes); }

void release_aligned(void* memory) { release_array(memory); }

void give_back(void* memory, std::size_t bytes) { give_back_array(memory, bytes); }

void fail_extent(Index extent) { fail("array extent {} is negative", extent); }

void fail_uncountable() { fail("array shape has more elements than can be counted"); }

void fail_row(Index row, std::span<const Index> shape) {
  fail("row {} of an array of shape {}", row, to_string(shape));
}

void fail_row_count(Index rows, std::span<const Index> shape) {
  fail("{} rows of an array of shape {}", rows, to_string(shape));
}

void fail_value_count(std::span<const Index> shape, std::size_t values) {
  fail("array of shape {} given {} values", to_string(shape), values);
}

}  // namespace nouq::detail
