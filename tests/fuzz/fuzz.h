// What the fuzz targets share. A target may throw nouq::Error as often as it likes; anything else (a crash, a
// sanitizer's report, another exception, memory beyond the limits set in run_fuzz.sh) is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/error.h"

namespace nouq::fuzz {

template <class Action>
void refuse_or_accept(Action&& action) {
  try {
    action();
  } catch (const Error&) {  // refused, with a message: as it should be
  }
}

// Takes numbers off the front of the input; zeros when it has run out.
class Instructions {
 public:
  explicit Instructions(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  unsigned byte() {
    if (bytes_.empty()) return 0;
    const auto value = std::to_integer<unsigned>(bytes_.front());
    bytes_ = bytes_.subspan(1);
    return value;
  }
  unsigned below(std::size_t bound) { return byte() % static_cast<unsigned>(bound); }
  std::span<const std::byte> take(std::size_t count) {
    const auto part = bytes_.first(count < bytes_.size() ? count : bytes_.size());
    bytes_ = bytes_.subspan(part.size());
    return part;
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace nouq::fuzz
