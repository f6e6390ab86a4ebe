// Model files of arbitrary bytes, and such with the length and the checksum set right, so that mutations
// reach the checks behind. What is accepted must also predict.
//
// Input: one byte for the kind (0: the rest is a file as it is, 1: the same with its checksum set right, 2: a
// header up to the first zero byte, then the values of its tensors).
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "model/model_file.h"
#include "support/sealed.h"
#include "uq/predictor.h"

namespace {

using namespace nouq;

std::string file_from(std::string input) {
  const int kind = input.empty() ? 0 : input[0] % 3;
  input.erase(0, 1);
  if (kind == 0) return input;
  if (kind == 1) return test::sealed(input);
  const auto end = std::min(input.find('\0'), input.size());
  return test::sealed_file(input.substr(0, end), input.substr(std::min(end + 1, input.size())));
}

// A file in memory, under a path that can be opened.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) : descriptor_(::memfd_create("model", MFD_CLOEXEC)) {
    if (::write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// Large networks and grids are allowed, but would only cost time here.
bool is_small(const Surrogate& s) {
  const Index points = element_count(padded_lengths(s.network, shape_of(s.grid)));
  return points <= 500 && s.network.width <= 16 && s.network.features <= 64 && s.network.outputs <= 64;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(file_from({reinterpret_cast<const char*>(data), size}));
  fuzz::refuse_or_accept([&] {
    const Surrogate surrogate = load_model(file.path());
    if (!is_small(surrogate)) return;
    Shape shape = shape_of(surrogate.grid);
    shape.insert(shape.begin(), 2);
    shape.push_back(surrogate.network.input_channels);
    predict(surrogate, Array<float>(shape, 0.5F).view(), {.samples = true, .threads = 1});
  });
  return 0;
}
