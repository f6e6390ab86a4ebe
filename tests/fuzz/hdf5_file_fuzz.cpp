// HDF5 files of arbitrary bytes. Most of what this runs is libhdf5: its findings are listed in
// docs/data-format.md, so this target is not part of the default run.
#include "data/hdf5.h"
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nouq;
  fuzz::refuse_or_accept([&] { read_hdf5(std::as_bytes(std::span(data, size)), "input"); });
  return 0;
}
