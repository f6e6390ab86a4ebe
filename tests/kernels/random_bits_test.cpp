#include "kernels/random_bits.h"

#include "kernels/support.h"

namespace nouq {
namespace {

TEST(RandomBits, AreThoseOfTheStreamOnEveryTarget) {
  test::on_every_target([] {
    for (const Stream& stream :
         {Stream(0, Purpose::dropout), Stream(~0ULL, Purpose::tests, 0x123456789ABCULL)}) {
      for (const std::uint64_t first : {0ULL, 7ULL, 0xFFFFFFF0ULL, 0x123456789ABCDEFULL}) {
        for (Index count = 0; count < 70; ++count) {
          test::Guarded<double> out(count, false);  // of the same size as the numbers
          random_bits(stream, first, count, reinterpret_cast<std::uint64_t*>(out.data()));
          ASSERT_TRUE(out.bands_intact());
          for (Index i = 0; i < count; ++i)
            ASSERT_EQ(std::bit_cast<std::uint64_t>(out[i]),
                      stream.bits(first + static_cast<std::uint64_t>(i)));
        }
      }
    }
  });
}

}  // namespace
}  // namespace nouq
