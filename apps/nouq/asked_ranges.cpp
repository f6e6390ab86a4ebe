#include "asked_ranges.h"

#include "argument_values.h"

namespace nouq::cli {

std::vector<AskedRange> asked_ranges(const std::vector<std::string>& texts) {
  std::vector<AskedRange> ranges;
  for (const auto& [name, text] : parse_pairs(texts, "--ranges")) {
    const ParameterRange range = parse_range(text, "--ranges " + name);
    ranges.push_back({name, range.low, range.high});
  }
  return ranges;
}

}  // namespace nouq::cli
