// PyTorch as a child process that times one call at a time (bench/peer/fno_torch.py), so that both sides are
// interleaved.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace nouq::bench {

class Peer {
 public:
  // Starts the system's Python; `available()` is false when it has no PyTorch.
  explicit Peer(const std::string& script);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] bool available() const { return in_ != nullptr; }
  // Milliseconds of one call, e.g. "step 32 20 1 100 20 12".
  std::optional<double> measure(const std::string& request);

 private:
  std::FILE* in_ = nullptr;
  std::FILE* out_ = nullptr;
  int child_ = -1;
};

}  // namespace nouq::bench
