// NPY files of arbitrary bytes, read as float, double and text.
#include <cstdlib>
#include <cstring>

#include "data/npy.h"
#include "fuzz/fuzz.h"

namespace {

using namespace nouq;

// What was read can be written and comes back the same.
template <class T>
void require_round_trip(const Array<T>& array) {
  std::string file = npy_header(array);
  const auto values = std::as_bytes(array.span());
  file.append(reinterpret_cast<const char*>(values.data()), values.size());
  const Array<T> again = read_npy<T>(std::as_bytes(std::span(file)), "written");
  const bool same = again.shape() == array.shape() &&
                    (array.empty() || std::memcmp(again.data(), array.data(), values.size()) == 0);
  if (!same) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  fuzz::refuse_or_accept([&] { require_round_trip(read_npy<float>(bytes, "input")); });
  fuzz::refuse_or_accept([&] { require_round_trip(read_npy<double>(bytes, "input")); });
  fuzz::refuse_or_accept([&] { read_npy<std::string>(bytes, "input"); });
  return 0;
}
