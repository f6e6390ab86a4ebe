// Aligned memory; large pieces on huge pages where the system offers them.
//
// Why: a training step streams through some hundred megabytes. With pages of 4 kB, looking up addresses
// (twice over in a virtual machine) costs more than some of the layers. Contract: aligned to 64 bytes at
// least; throws std::bad_alloc; release() takes what allocate() gave. Standard containers have the
// AlignedAllocator of nouq/array.h.
#pragma once

#include <cstddef>
#include <limits>
#include <new>

namespace nouq {

inline constexpr std::size_t cache_line = 64;

[[nodiscard]] void* allocate(std::size_t bytes);
void release(void* memory);
// Gives the whole pages among these bytes of allocated memory back to the system. They stay allocated, but
// what they held is lost.
void give_back(void* memory, std::size_t bytes);

template <class T>
[[nodiscard]] T* allocate_array(std::size_t count) {
  if (count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) throw std::bad_array_new_length();
  return static_cast<T*>(allocate(count * sizeof(T)));
}

}  // namespace nouq
