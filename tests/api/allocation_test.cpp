// After the first call of a shape, a prediction allocates nothing. Counted by standing in for the C library's
// allocator, which the sanitizers do themselves.
#include <cerrno>

#include "api/model_case.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NOUQ_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NOUQ_SANITIZED 1
#endif
#endif

#if !defined(NOUQ_SANITIZED) && defined(__GLIBC__)
namespace {
thread_local long allocations = 0;
}
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) { return ++allocations, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return ++allocations, __libc_calloc(count, size); }
void* realloc(void* old, std::size_t size) { return ++allocations, __libc_realloc(old, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  ++allocations;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return ++allocations, __libc_memalign(alignment, size);
}
}

namespace nouq {
namespace {

class Allocations : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Golden, Allocations, testing::Values("a_fno2d", "b_diverse"));

TEST_P(Allocations, NoneAfterTheFirstCall) {
  const test::LoadedCase c(GetParam());
  Array<double> mean(c.inputs.shape()), deviation(c.inputs.shape());
  std::vector<double> turned(6000);
  const std::array<int64_t, 4> extents = {3, 100, 20, 1};
  const nouq_array x = test::row_major(c.inputs), m = test::row_major(mean), d = test::row_major(deviation);
  const nouq_array other = nouq_column_major(turned.data(), NOUQ_FLOAT64, 4, extents.data());
  double score[3];
  double* wanted = c.model.info().has_trust ? score : nullptr;
  const auto ask = [&] {
    EXPECT_EQ(nouq_predict(c.handle, &x, &m, &d, nullptr, wanted, nullptr), NOUQ_OK);
    EXPECT_EQ(nouq_predict(c.handle, &other, &other, &other, nullptr, nullptr, nullptr), NOUQ_OK);
  };
  ask();
  const long before = allocations;
  for (int i = 0; i < 10; ++i) ask();
  EXPECT_EQ(allocations - before, 0);
  { const std::vector<double> counted(10); }
  EXPECT_GE(allocations - before, 1) << "the counter counts";
}

}  // namespace
}  // namespace nouq
#endif
