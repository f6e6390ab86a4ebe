// Handles: numbers that stand for shared objects across the C interface.
//
// Why: a pointer that was freed crashes; a number that was freed is looked up and not found. Contract: a
// handle is (kind, generation, slot); slots are used again, with the next generation, so an old handle is
// told apart from a new one (until a slot has been used 2^28 times). 0 is never a handle. Thread-safe; an
// object lives on until the last call that found it has ended.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace nouq {

template <class T>
class HandleTable {
 public:
  // Tables of different kinds do not accept each other's handles; 0 to 15.
  explicit HandleTable(std::uint64_t kind) : kind_(kind) {}

  std::uint64_t insert(std::shared_ptr<T> object) {
    const std::unique_lock lock(mutex_);
    if (free_.empty()) {
      free_.reserve(slots_.size() + 1);  // so that giving back cannot fail
      slots_.emplace_back();
      free_.push_back(slots_.size() - 1);
    }
    const std::size_t slot = free_.back();
    free_.pop_back();
    slots_[slot].object = std::move(object);
    return handle_of(slot);
  }

  // Null when there is none.
  std::shared_ptr<T> find(std::uint64_t handle) const {
    const std::shared_lock lock(mutex_);
    return is_valid(handle) ? slots_[slot_of(handle)].object : nullptr;
  }

  // The object, so that it can be destroyed outside the lock; null when there is none.
  std::shared_ptr<T> remove(std::uint64_t handle) {
    const std::unique_lock lock(mutex_);
    if (!is_valid(handle)) return nullptr;
    Slot& slot = slots_[slot_of(handle)];
    slot.generation = (slot.generation + 1) & generation_mask;
    free_.push_back(slot_of(handle));
    return std::move(slot.object);
  }

 private:
  static constexpr std::uint64_t generation_mask = (1U << 28U) - 1U;
  struct Slot {
    std::uint64_t generation = 0;
    std::shared_ptr<T> object;
  };

  // [generation 28 bits][kind 4 bits][slot + 1: 32 bits]
  [[nodiscard]] std::uint64_t handle_of(std::size_t slot) const {
    return (slots_[slot].generation << 36U) | (kind_ << 32U) | (slot + 1);
  }
  static std::size_t slot_of(std::uint64_t handle) { return (handle & 0xFFFFFFFFU) - 1; }
  [[nodiscard]] bool is_valid(std::uint64_t handle) const {
    const std::size_t slot = slot_of(handle);
    return slot < slots_.size() && slots_[slot].object != nullptr && handle == handle_of(slot);
  }

  std::uint64_t kind_;
  mutable std::shared_mutex mutex_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_;
};

}  // namespace nouq
