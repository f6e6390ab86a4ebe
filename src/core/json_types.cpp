#include "core/json_types.h"

#include <array>
#include <cstdlib>
#include <mutex>

namespace nouq {
namespace {

// One for the process, as memory that every thread has of its own must be found first. A destructor gives all
// back before another piece of it is destroyed, so counting the pieces suffices.
struct Reserve {
  std::recursive_mutex mutex;
  std::size_t used = 0, pieces = 0;
  alignas(std::max_align_t) std::array<std::byte, 1U << 20U> memory;
};

Reserve& reserve() {
  static Reserve one;
  return one;
}

bool is_of_reserve(const void* memory) {
  const auto& bytes = reserve().memory;
  return memory >= bytes.data() && memory < bytes.data() + bytes.size();
}

}  // namespace

void* allocate_to_destroy(std::size_t bytes) {
  if (void* memory = std::malloc(bytes)) return memory;
  Reserve& own = reserve();
  own.mutex.lock();  // until it is given back: other threads wait
  const std::size_t size =
      (bytes + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);
  if (size > own.memory.size() - own.used) {
    own.mutex.unlock();
    throw std::bad_alloc();
  }
  void* memory = own.memory.data() + own.used;
  own.used += size;
  ++own.pieces;
  return memory;
}

void release_after_destroying(void* memory) noexcept {
  if (!is_of_reserve(memory)) return std::free(memory);
  Reserve& own = reserve();
  if (--own.pieces == 0) own.used = 0;
  own.mutex.unlock();
}

}  // namespace nouq
