#include "core/names.h"

#include <algorithm>
#include <vector>

#include "core/error.h"

namespace nouq {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // row[j]: distance between the letters of a seen so far and the first j letters of b.
  std::vector<std::size_t> row;
  for (std::size_t j = 0; j <= b.size(); ++j) row.push_back(j);
  for (const char letter : a) {
    std::size_t diagonal = row.front();
    ++row.front();
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (letter == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string nearest_name(std::string_view name, std::span<const std::string> valid) {
  require(!valid.empty(), "no valid names to compare '{}' with", name);
  return *std::min_element(valid.begin(), valid.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
}

namespace {

// Two words of which more than half must be written anew are no misspelling of each other.
bool is_likely(std::string_view name, std::string_view nearest) {
  return name.size() <= 3 || 2 * edit_distance(name, nearest) <= std::max(name.size(), nearest.size());
}

}  // namespace

void fail_unknown_name(std::string_view kind, std::string_view name, std::span<const std::string> valid) {
  if (valid.empty()) fail("unknown {} '{}': there are none", kind, name);
  std::string all;
  for (const std::string& one : valid) all += (all.empty() ? "" : ", ") + one;
  const std::string nearest = nearest_name(name, valid);
  if (!is_likely(name, nearest)) fail("unknown {} '{}'. Valid: {}", kind, name, all);
  fail("unknown {} '{}'; did you mean '{}'? Valid: {}", kind, name, nearest, all);
}

std::size_t index_of_name(std::string_view kind, std::string_view name, std::span<const std::string> valid) {
  const auto found = std::find(valid.begin(), valid.end(), name);
  if (found == valid.end()) fail_unknown_name(kind, name, valid);
  return static_cast<std::size_t>(found - valid.begin());
}

}  // namespace nouq
