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

}  // namespace nouq
