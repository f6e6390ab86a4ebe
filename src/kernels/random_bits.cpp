#include "kernels/random_bits.h"

#include <algorithm>
#include <array>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/random_bits.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace {

using WordTag = hn::ScalableTag<std::uint64_t>;
using Words = hn::Vec<WordTag>;

// Philox 4x32-10: four words of 32 bits, each in the low half of a lane, so that products keep their high
// halves.
struct Block {
  Words w0, w1, w2, w3;
};

HWY_INLINE Words multiply(WordTag d, Words a, std::uint64_t b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, hn::GetLane(a) * b);
#else
  const hn::Repartition<std::uint32_t, WordTag> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, hn::Set(d, b)));
#endif
}

HWY_INLINE Block round(WordTag d, const Block& x, std::uint32_t key0, std::uint32_t key1) {
  const Words low = hn::Set(d, 0xFFFFFFFFULL);
  const Words p0 = multiply(d, x.w0, 0xD2511F53U);
  const Words p1 = multiply(d, x.w2, 0xCD9E8D57U);
  return {hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), x.w1), hn::Set(d, std::uint64_t{key0})), hn::And(p1, low),
          hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), x.w3), hn::Set(d, std::uint64_t{key1})), hn::And(p0, low)};
}

HWY_INLINE Words bits_of(WordTag d, const StreamKey& key, Words counter) {
  Block x{hn::And(counter, hn::Set(d, 0xFFFFFFFFULL)), hn::ShiftRight<32>(counter),
          hn::Set(d, std::uint64_t{key.index}), hn::Set(d, std::uint64_t{key.purpose})};
  std::uint32_t key0 = key.seed_low, key1 = key.seed_high;
  for (int i = 0; i < 10; ++i) {
    x = round(d, x, key0, key1);
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  return hn::Or(hn::ShiftLeft<32>(x.w0), x.w1);
}

}  // namespace

void philox_bits(const StreamKey& key, std::uint64_t first, Index count, std::uint64_t* out) {
  const WordTag d;
  const Index n = hn::Lanes(d);
  Index i = 0;
  for (; i + 2 * n <= count; i += 2 * n) {  // two at a time hide the products' latency
    const Words a = bits_of(d, key, hn::Iota(d, first + static_cast<std::uint64_t>(i)));
    const Words b = bits_of(d, key, hn::Iota(d, first + static_cast<std::uint64_t>(i + n)));
    hn::StoreU(a, d, out + i);
    hn::StoreU(b, d, out + i + n);
  }
  for (; i < count; i += n) {
    std::array<std::uint64_t, hn::MaxLanes(d)> last;
    hn::StoreU(bits_of(d, key, hn::Iota(d, first + static_cast<std::uint64_t>(i))), d, last.data());
    std::copy_n(last.data(), std::min(n, count - i), out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq {

void random_bits(const Stream& stream, std::uint64_t first, Index count, std::uint64_t* out) {
  NOUQ_CHOOSE(philox_bits)(stream.key(), first, count, out);
}

}  // namespace nouq
#endif
