#include "constraint_arguments.h"

#include <filesystem>
#include <sstream>

#include "argument_values.h"
#include "core/error.h"

namespace nouq::cli {
namespace {

std::vector<std::string> split_at_plus(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '+');) parts.push_back(part);
  return parts;
}

Setting list_of(const std::vector<std::string>& parts, const std::string& label) {
  std::vector<double> numbers;
  for (const std::string& part : parts) {
    require(!part.empty(), "{}: an item of the list is empty", label);
    if (const auto number = find_number(part)) numbers.push_back(*number);
  }
  if (numbers.empty()) return parts;
  require(numbers.size() == parts.size(), "{}: the list mixes numbers and names", label);
  return numbers;
}

}  // namespace

Setting parse_setting(const std::string& word, const std::string& label, NamedValues& values) {
  if (const auto number = find_number(word)) return *number;
  std::error_code no_such_name;  // a long list is no name of a file
  if (!values.contains(word) &&
      std::filesystem::is_regular_file(parse_array_argument(word).path, no_such_name)) {
    values.emplace(word, read_array(word, {}, label));
    return word;
  }
  if (word.find('+') == std::string::npos) return word;
  return list_of(split_at_plus(word), label);
}

ConstraintWords parse_constraint(const std::string& text, NamedValues& values) {
  std::istringstream words(text);
  std::string kind;
  words >> kind;
  require(!kind.empty() && kind.find('=') == std::string::npos,
          "--constraint = '{}': expected a kind and its settings, as in 'integral axis=x value=mass'; 'nouq "
          "constraints' lists the kinds",
          text);
  std::map<std::string, Setting> settings;
  for (std::string word; words >> word;) {
    const auto [name, value] = split_once(word, '=');
    const std::string label = fmt::format("--constraint '{}': {}", text, name);
    require(!name.empty() && !value.empty(), "--constraint '{}': expected name=value instead of '{}'", text,
            word);
    require(settings.emplace(name, parse_setting(value, label, values)).second, "{} is given twice", label);
  }
  return {std::move(kind), std::move(settings)};
}

}  // namespace nouq::cli
