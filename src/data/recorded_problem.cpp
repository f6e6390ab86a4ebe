#include "data/recorded_problem.h"

#include <algorithm>
#include <cmath>

#include "core/parse.h"

namespace nouq {
namespace {

const std::string option_prefix = "option ";

}  // namespace

void record_options(const ProblemOptions& options, Provenance& provenance) {
  for (const auto& [name, value] : options) provenance[option_prefix + name] = value;
}

std::unique_ptr<Problem> problem_of(const Provenance& provenance) {
  const auto problem = provenance.find("problem");
  const auto names = problem_names();
  if (problem == provenance.end() || std::find(names.begin(), names.end(), problem->second) == names.end())
    return nullptr;
  ProblemOptions options;
  for (const auto& [key, value] : provenance) {
    if (key.starts_with(option_prefix)) options[key.substr(option_prefix.size())] = value;
  }
  return make_problem(problem->second, options);
}

std::optional<ParameterRange> range_of(const Provenance& provenance) {
  const auto range = provenance.find("range");
  return range == provenance.end() ? std::nullopt : find_range(range->second);
}

std::optional<ParameterRange> find_range(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  ParameterRange range;
  const bool numbers =
      parse_number(text.substr(0, colon), range.low) && parse_number(text.substr(colon + 1), range.high);
  const bool ordered = std::isfinite(range.low) && std::isfinite(range.high) && range.low <= range.high;
  return numbers && ordered ? std::optional(range) : std::nullopt;
}

}  // namespace nouq
