// Splitting a data set into training, validation and test samples, and shuffling.
//
// Why: a result can be checked only if the split can be had again. Contract: the split is a pure function of
// the number of samples, the sizes and the seed; the parts do not overlap; each is sorted, so that reading it
// from a file goes forward. The order of training samples is a separate matter: `shuffled`.
#pragma once

#include <cstdint>
#include <vector>

#include <nouq/data.h>  // SplitFractions

namespace nouq {

struct SplitCounts {
  Index train = 0;
  Index validation = 0;
  Index test = 0;
};

struct Split {
  std::vector<Index> train;
  std::vector<Index> validation;
  std::vector<Index> test;
};

// Fractions must add up to one. The later parts get their share rounded, but at least one sample when their
// fraction is positive; the first part with a positive fraction gets the rest. Throws when that is nothing.
SplitCounts split_counts(Index samples, const SplitFractions& fractions);

// Counts may add up to less than `samples`; the rest is left out. Throws when they ask for more.
Split split(Index samples, const SplitCounts& counts, std::uint64_t seed);

// 0, ..., samples - 1 in the random order of an epoch.
std::vector<Index> shuffled(Index samples, std::uint64_t seed, std::uint64_t epoch);

}  // namespace nouq
