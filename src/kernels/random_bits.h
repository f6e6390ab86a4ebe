// Many random numbers at once: the same bits as Stream::bits (nouq/random.h), several counters per vector.
//
// Why: dropout decides every feature of every grid point in every training step; one number at a time,
// drawing took as long as the rest of the step. Contract: out[i] = stream.bits(first + i), on every target.
#pragma once

#include <nouq/array.h>
#include <nouq/random.h>

namespace nouq {

void random_bits(const Stream& stream, std::uint64_t first, Index count, std::uint64_t* out);

}  // namespace nouq
