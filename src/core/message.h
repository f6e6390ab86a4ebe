// Messages between the ranks of a job: numbers and texts one after the other, read back in the same order.
//
// Contract: both sides are the same program, so numbers travel as they are in memory. A message that is
// shorter than what is asked of it is a failure.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"

namespace nouq {

using Bytes = std::vector<std::byte>;

class Packer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T> Packer& add(const T& value) {
    return append(std::as_bytes(std::span(&value, 1)));
  }
  Packer& add(const std::string& text) { return add(std::as_bytes(std::span(text))); }
  Packer& add(const Bytes& bytes) { return add(std::span<const std::byte>(bytes)); }
  Packer& add(std::span<const std::byte> bytes) { return add(bytes.size()).append(bytes); }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  Packer& append(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Bytes bytes_;
};

// The bytes must outlive it.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T number() {
    T value;
    const auto bytes = next(sizeof value);
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::span<const std::byte> bytes() { return next(number<std::size_t>()); }
  std::string text() {
    const auto characters = bytes();
    return {reinterpret_cast<const char*>(characters.data()), characters.size()};
  }

 private:
  std::span<const std::byte> next(std::size_t count) {
    if (count > rest_.size())
      throw_failure("a message between ranks ends early: {} bytes, expected {}", rest_.size(), count);
    const auto piece = rest_.first(count);
    rest_ = rest_.subspan(count);
    return piece;
  }
  std::span<const std::byte> rest_;
};

}  // namespace nouq
