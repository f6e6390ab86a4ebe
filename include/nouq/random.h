// Counter-based random numbers: a value is a pure function of (seed, purpose, index, counter).
//
// Why: the order in which threads draw must never matter, and a resumed run must draw what the uninterrupted
// one would have drawn. There is no hidden state to save: "the position of the generator" is the index one
// asks for. When: one Stream per thing drawn: e.g. sample i of a data set, the shuffle of epoch e, the
// dropout mask of step s. Contract: Philox 4x32-10; the same arguments give the same values on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include <nouq/export.h>

namespace nouq {

// What the numbers are for. Two purposes never share numbers. Values are part of every saved result: only
// ever append.
enum class Purpose : std::uint32_t {
  weights = 1,
  shuffle = 2,
  split = 3,
  parameters = 4,
  dropout = 5,
  heads = 6,
  fields = 7,
  tests = 8,
  sketch = 9,
};

// The generator's inputs besides the counter: key and the upper half of its counter block.
struct StreamKey {
  std::uint32_t seed_low, seed_high, index, purpose;
};

class NOUQ_API Stream {
 public:
  Stream(std::uint64_t seed, Purpose purpose, std::uint64_t index = 0)
      : seed_(seed), purpose_(purpose), index_(index) {}

  // The counter-th value of this stream, uniform on [0, 1) with 53 and with 24 bits.
  [[nodiscard]] double uniform(std::uint64_t counter) const;
  [[nodiscard]] float uniform_float(std::uint64_t counter) const;
  // Uniform integer in [0, bound); bound must be positive. Free of modulo bias to 2^-64.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound, std::uint64_t counter) const;
  // Standard normal (Box-Muller).
  [[nodiscard]] double normal(std::uint64_t counter) const;
  // 64 random bits.
  [[nodiscard]] std::uint64_t bits(std::uint64_t counter) const;
  // For whoever draws many at once (kernels/random_bits.h).
  [[nodiscard]] StreamKey key() const;

 private:
  std::uint64_t seed_;
  Purpose purpose_;
  std::uint64_t index_;
};

// 0, 1, ..., n-1 in random order (Fisher-Yates).
NOUQ_API std::vector<std::int64_t> permutation(std::int64_t n, const Stream& stream);

}  // namespace nouq
