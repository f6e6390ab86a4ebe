// A peer as a child process that times one call at a time (bench/peer), so that both sides are interleaved.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace nouq::bench {

inline const std::string system_python = "/usr/bin/python3";

class Peer {
 public:
  // Runs the script; its first line says what it is, or why it is no peer.
  explicit Peer(const std::string& script, const std::string& python = system_python);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] bool available() const { return available_; }
  // E.g. "PyTorch 1.13.1 with OpenBLAS", or the reason why it is not available.
  [[nodiscard]] const std::string& description() const { return description_; }
  // Milliseconds of one call, e.g. "step fft 32 20 1 100 20 12".
  std::optional<double> measure(const std::string& request);

 private:
  std::FILE* in_ = nullptr;
  std::FILE* out_ = nullptr;
  int child_ = -1;
  bool available_ = false;
  std::string description_ = "it could not be started";
};

// The word behind `--peer-python`, else the system's Python.
std::string peer_python(int count, char** arguments);

}  // namespace nouq::bench
