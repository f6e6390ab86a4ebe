#include "core/array.h"

namespace nouq::detail {

void* allocate_aligned(std::size_t bytes) { return allocate(bytes); }

void release_aligned(void* memory) { release(memory); }

void give_back(void* memory, std::size_t bytes) { nouq::give_back(memory, bytes); }

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
