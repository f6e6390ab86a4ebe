#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include <Random123/philox.h>
#include <nouq/random.h>

namespace nouq {
namespace {

std::array<std::uint32_t, 4> philox(const StreamKey& key, std::uint64_t counter) {
  const r123::Philox4x32::ctr_type block = {{static_cast<std::uint32_t>(counter),
                                             static_cast<std::uint32_t>(counter >> 32U), key.index,
                                             key.purpose}};
  const auto result = r123::Philox4x32{}(block, {{key.seed_low, key.seed_high}});
  return {result[0], result[1], result[2], result[3]};
}

}  // namespace

// Key = seed. Counter block = (counter, index, purpose): 64 + 32 + 32 bits, with the high half of the index
// folded into the purpose word, so indices up to 2^52 never collide with another purpose.
StreamKey Stream::key() const {
  const auto high_index = static_cast<std::uint32_t>(index_ >> 32U);
  return {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U),
          static_cast<std::uint32_t>(index_), (high_index << 12U) ^ static_cast<std::uint32_t>(purpose_)};
}

std::uint64_t Stream::bits(std::uint64_t counter) const {
  const auto words = philox(key(), counter);
  return (static_cast<std::uint64_t>(words[0]) << 32U) | words[1];
}

double Stream::uniform(std::uint64_t counter) const {
  return static_cast<double>(bits(counter) >> 11U) * 0x1.0p-53;
}

float Stream::uniform_float(std::uint64_t counter) const {
  return static_cast<float>(bits(counter) >> 40U) * 0x1.0p-24F;
}

std::uint64_t Stream::below(std::uint64_t bound, std::uint64_t counter) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits(counter)) * bound) >> 64U);
}

double Stream::normal(std::uint64_t counter) const {
  const auto words = philox(key(), counter);
  const double radius_uniform =
      (static_cast<double>(((static_cast<std::uint64_t>(words[0]) << 32U) | words[1]) >> 11U) + 0.5) *
      0x1.0p-53;
  const double angle_uniform =
      static_cast<double>(((static_cast<std::uint64_t>(words[2]) << 32U) | words[3]) >> 11U) * 0x1.0p-53;
  return std::sqrt(-2.0 * std::log(radius_uniform)) * std::cos(2.0 * std::numbers::pi * angle_uniform);
}

std::vector<std::int64_t> permutation(std::int64_t n, const Stream& stream) {
  std::vector<std::int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[stream.below(i, i)]);
  }
  return order;
}

}  // namespace nouq
