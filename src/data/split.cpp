#include "data/split.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <nouq/random.h>

#include "core/error.h"

namespace nouq {
namespace {

Index share(Index samples, double fraction) {
  if (fraction == 0.0) return 0;
  return std::max<Index>(1, std::llround(fraction * static_cast<double>(samples)));
}

}  // namespace

SplitCounts split_counts(Index samples, const SplitFractions& fractions) {
  const auto& [train, validation, test] = fractions;
  require(train >= 0 && validation >= 0 && test >= 0 && std::abs(train + validation + test - 1.0) < 1e-9,
          "split fractions {}, {}, {} must not be negative and must add up to 1", train, validation, test);
  const std::array<double, 3> parts = {train, validation, test};
  const auto first = static_cast<std::size_t>(
      std::find_if(parts.begin(), parts.end(), [](double part) { return part > 0; }) - parts.begin());
  std::array<Index, 3> counts{};
  Index rest = samples;
  for (std::size_t i = first + 1; i < parts.size(); ++i) rest -= counts.at(i) = share(samples, parts.at(i));
  require(rest >= 1, "{} samples are too few to split into fractions {}, {}, {}", samples, train, validation,
          test);
  counts.at(first) = rest;
  return {counts[0], counts[1], counts[2]};
}

Split split(Index samples, const SplitCounts& counts, std::uint64_t seed) {
  const auto& [train, validation, test] = counts;
  const bool possible = train >= 0 && validation >= 0 && test >= 0 && train <= samples &&
                        validation <= samples - train && test <= samples - train - validation;
  require(possible, "split into {} training, {} validation and {} test samples: there are only {}", train,
          validation, test, samples);
  const std::vector<Index> order = permutation(samples, Stream(seed, Purpose::split));
  const auto part = [&](Index first, Index count) {
    std::vector<Index> indices(order.begin() + first, order.begin() + first + count);
    std::sort(indices.begin(), indices.end());
    return indices;
  };
  return {part(0, train), part(train, validation), part(train + validation, test)};
}

std::vector<Index> shuffled(Index samples, std::uint64_t seed, std::uint64_t epoch) {
  return permutation(samples, Stream(seed, Purpose::shuffle, epoch));
}

}  // namespace nouq
