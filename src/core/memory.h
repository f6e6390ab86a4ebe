// Aligned memory; large pieces on huge pages where the system offers them.
//
// Why: a training step streams through some hundred megabytes. With pages of 4 kB, looking up addresses
// (twice over in a virtual machine) costs more than some of the layers. Contract: aligned to 64 bytes at
// least; throws std::bad_alloc; release() takes what allocate() gave.
#pragma once

#include <cstddef>

namespace nouq {

inline constexpr std::size_t cache_line = 64;

[[nodiscard]] void* allocate(std::size_t bytes);
void release(void* memory);

}  // namespace nouq
