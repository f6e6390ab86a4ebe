#include "array_arguments.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <nouq/files.h>

#include "core/names.h"

namespace nouq::cli {
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
