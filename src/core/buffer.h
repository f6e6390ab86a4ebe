// Memory for the kernels: aligned to a cache line, grown but never shrunk, contents not initialised.
//
// Why: vector loads want alignment, and a training step must not allocate. A Buffer is resized once at the
// start and then used again and again. Contract: resize keeps nothing of the old contents when it has to
// grow. data() is aligned to 64 bytes. A buffer moved from is empty and may be used again.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace nouq {

// Aligned memory; large pieces on huge pages where the system offers them.
//
// Why: a training step streams through some hundred megabytes. With pages of 4 kB, looking up addresses
// (twice over in a virtual machine) costs more than some of the layers. Contract: aligned to 64 bytes at
// least; throws std::bad_alloc; release() takes what allocate() gave. Standard containers have the
// AlignedAllocator of nouq/array.h.
inline constexpr std::size_t cache_line = 64;

[[nodiscard]] void* allocate(std::size_t bytes);
void release(void* memory);
// Gives the whole pages among these bytes of allocated memory back to the system. They stay allocated, but
// what they held is lost.
void give_back(void* memory, std::size_t bytes);

template <class T>
[[nodiscard]] T* allocate_array(std::size_t count) {
  if (count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) throw std::bad_array_new_length();
  return static_cast<T*>(allocate(count * sizeof(T)));
}

template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) { resize(size); }
  Buffer(std::size_t size, T value) {
    resize(size);
    fill(value);
  }

  ~Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept
      : memory_(std::move(other.memory_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  void resize(std::size_t size) {
    if (size > capacity_) {
      memory_.reset();
      size_ = capacity_ = 0;
      memory_.reset(allocate_array<T>(size));
      capacity_ = size;
    }
    size_ = size;
  }
  void fill(T value) {
    for (T& element : *this) element = value;
  }

  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  operator std::span<T>() { return {data(), size_}; }
  operator std::span<const T>() const { return {data(), size_}; }

 private:
  struct Free {
    void operator()(T* memory) const { release(memory); }
  };
  std::unique_ptr<T, Free> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace nouq
