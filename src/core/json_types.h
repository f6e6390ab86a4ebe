// The JSON library's types, made safe to destroy when memory has run out.
//
// Why: to spare the stack, the library's destructor moves children into a std::vector first. Where that
// vector finds no memory, the exception leaves a destructor and ends the process, and with it whoever called
// us. Our types differ from the library's in their allocator, so the allocator of that one vector can be ours
// as well: it falls back on a reserve. When: all JSON is one of these two types. Contract: throws
// std::bad_alloc where the library's types do, save in destructors, as long as the reserve suffices: some
// 20,000 children that are in the way at a time.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace nouq {

template <class T>
struct JsonAllocator {
  using value_type = T;
  JsonAllocator() = default;
  template <class U>
  JsonAllocator(const JsonAllocator<U>& /*other*/) noexcept {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t /*count*/) noexcept { ::operator delete(memory); }
  template <class U>
  bool operator==(const JsonAllocator<U>& /*other*/) const noexcept {
    return true;
  }
};

template <template <class, class, class...> class ObjectType>
using BasicJson = nlohmann::basic_json<ObjectType, std::vector, std::string, bool, std::int64_t,
                                       std::uint64_t, double, JsonAllocator>;

using Json = BasicJson<std::map>;                      // keys in their alphabet's order
using OrderedJson = BasicJson<nlohmann::ordered_map>;  // keys as they were given

// Memory for destructors: the usual, or some of the reserve.
[[nodiscard]] void* allocate_to_destroy(std::size_t bytes);
void release_after_destroying(void* memory) noexcept;

}  // namespace nouq

// Of a vector with the standard allocator, which nothing but the library's destructors makes of our types.
template <template <class, class, class...> class ObjectType>
struct std::allocator<nouq::BasicJson<ObjectType>> {
  using value_type = nouq::BasicJson<ObjectType>;
  allocator() = default;
  template <class U>
  allocator(const std::allocator<U>& /*other*/) noexcept {}
  value_type* allocate(std::size_t count) {
    return static_cast<value_type*>(nouq::allocate_to_destroy(count * sizeof(value_type)));
  }
  void deallocate(value_type* memory, std::size_t /*count*/) noexcept {
    nouq::release_after_destroying(memory);
  }
  bool operator==(const allocator& /*other*/) const noexcept { return true; }
};
