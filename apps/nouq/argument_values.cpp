#include "argument_values.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <nouq/files.h>
#include <nouq/problem_data.h>

#include "core/error.h"
#include "core/names.h"
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

namespace {

std::string chosen_name(const RunFile& file, const ArrayArgument& word,
                        const std::vector<std::string>& customary, const std::string& label) {
  const std::vector<std::string> names = file.names();
  require(!names.empty(), "{}: {} holds no array", label, word.path);
  if (!word.name.empty()) {
    require(file.has(word.name), "{}: {} has no array '{}'; did you mean '{}'? It holds {}", label, word.path,
            word.name, nearest_name(word.name, names), fmt::join(names, ", "));
    return word.name;
  }
  for (const std::string& name : customary) {
    if (file.has(name)) return name;
  }
  require(names.size() == 1, "{}: {} holds the arrays {}: say which, as in {}:{}", label, word.path,
          fmt::join(names, ", "), word.path, names.front());
  return names.front();
}

template <class Fits>
void require_each(const Array<double>& values, const std::string& what, const char* expected, Fits&& fits) {
  const auto wrong = std::find_if_not(values.begin(), values.end(), fits);
  if (wrong == values.end()) return;
  const Index at = wrong - values.begin();
  const Index per_sample = values.size() / values.extent(0);
  fail("{}: value {} in sample {}, element {} of it: expected {}", what, *wrong, at / per_sample,
       at % per_sample, expected);
}

}  // namespace

ArrayArgument parse_array_argument(const std::string& word) {
  const auto colon = word.rfind(':');
  std::error_code no_such_name;
  if (colon == std::string::npos || std::filesystem::exists(word, no_such_name)) return {word, ""};
  return {word.substr(0, colon), word.substr(colon + 1)};
}

Array<double> read_array(const std::string& word, const std::vector<std::string>& customary,
                         const std::string& label) {
  const ArrayArgument parsed = parse_array_argument(word);
  const auto file = open_arrays(parsed.path);
  return file->read(chosen_name(*file, parsed, customary, label));
}

void require_finite(const Array<double>& values, const std::string& what) {
  require_each(values, what, "a finite number", [](double v) { return std::isfinite(v); });
}

void require_not_negative(const Array<double>& values, const std::string& what) {
  require_each(values, what, "none below zero", [](double v) { return v >= 0; });
}

}  // namespace nouq::cli
