// NPZ data sets: ZIP files of arbitrary bytes, and well-formed ZIP files with arbitrary members.
#include <vector>

#include "data/npz.h"
#include "fuzz/fuzz.h"
#include "fuzz/npz_members.h"

namespace {

using namespace nouq;

std::vector<std::byte> pack(fuzz::Instructions instructions, Compression compression) {
  ZipWriter zip(compression);
  while (!instructions.empty()) {
    const std::string name(fuzz::member_names.at(instructions.below(fuzz::member_names.size())));
    const std::size_t length = instructions.byte() + 256U * instructions.byte();
    zip.add(name + ".npy", {instructions.take(length)});
  }
  std::vector<std::byte> file;
  for (const auto part : zip.finish()) file.insert(file.end(), part.begin(), part.end());
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto rest = std::as_bytes(std::span(data, size)).subspan(1);
  fuzz::refuse_or_accept([&] {
    if (data[0] % 3 == 0) {
      read_npz(rest, "input");
    } else {
      const auto compression = data[0] % 3 == 1 ? Compression::none : Compression::deflate;
      read_npz(pack(fuzz::Instructions(rest), compression), "input");
    }
  });
  return 0;
}
