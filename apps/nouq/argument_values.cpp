#include "argument_values.h"

#include <cmath>

#include <nouq/problem_data.h>

#include "core/error.h"
#include "core/parse.h"

namespace nouq::cli {

std::pair<std::string, std::string> split_once(const std::string& text, char separator) {
  const auto at = text.find(separator);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::optional<double> find_number(const std::string& text) {
  double value = 0;
  return nouq::parse_number(text, value) && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

ParameterRange parse_range(const std::string& text, const std::string& label) {
  const auto range = find_range(text);
  require(range.has_value(),
          "{} = '{}': expected two numbers with a colon between them, the smaller first, as in 2:3", label,
          text);
  return *range;
}

double parse_number(const std::string& text, const std::string& label) {
  const auto value = find_number(text);
  require(value.has_value(), "{}: '{}' is not a number", label, text);
  return *value;
}

std::vector<Index> parse_extents(const std::string& text, const std::string& label) {
  std::vector<Index> extents;
  for (std::string rest = text + "x"; !rest.empty();) {
    const auto [first, after] = split_once(rest, 'x');
    Index extent = 0;
    require(nouq::parse_number(first, extent) && extent >= 1,
            "{} = '{}': expected a number of points per axis with an x between them, as in 64x32", label,
            text);
    extents.push_back(extent);
    rest = after;
  }
  return extents;
}

std::vector<double> parse_parameters(const std::vector<std::string>& texts, const Problem& problem) {
  const Parameter& about = problem.description().parameter;
  std::vector<double> values;
  for (const std::string& text : texts) {
    const auto [name, value] = split_once(text, '=');
    require(name == about.symbol || name == about.name, "--param {}: problem {} has the parameter {}", text,
            problem.name(), about.symbol);
    values.push_back(parse_number(value, "--param"));
  }
  return values;
}

std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& texts,
                                               const std::string& label) {
  std::map<std::string, std::string> pairs;
  for (const std::string& text : texts) {
    const auto [name, value] = split_once(text, '=');
    require(!name.empty() && !value.empty(), "{} = '{}': expected a name and a value, as in name=value",
            label, text);
    require(pairs.emplace(name, value).second, "{}: '{}' is given twice", label, name);
  }
  return pairs;
}

}  // namespace nouq::cli
