// Help for a mistyped name: the nearest of the valid ones.
//
// Why: "unknown problem 'stephan'" sends a user to the manual; "did you mean 'stefan'?" does not. When: every
// registry (problems, metrics, ...) refuses an unknown name through `fail_unknown_name`.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace nouq {

// Levenshtein's distance: how many letters must be inserted, removed or replaced.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The valid name that takes the fewest edits; `valid` must not be empty.
std::string nearest_name(std::string_view name, std::span<const std::string> valid);

// Throws "unknown <kind> '<name>'; did you mean '<nearest>'? Valid: ...".
[[noreturn]] void fail_unknown_name(std::string_view kind, std::string_view name,
                                    std::span<const std::string> valid);

// Where the name stands among the valid ones; throws as above when it is none of them. An enum whose names
// are listed in its own order is read from text by it.
std::size_t index_of_name(std::string_view kind, std::string_view name, std::span<const std::string> valid);

// The item of that name, nullptr when there is none.
template <class Items>
const typename Items::value_type* find_named(const Items& items, std::string_view name) {
  for (const auto& item : items) {
    if (item.name == name) return &item;
  }
  return nullptr;
}

}  // namespace nouq
