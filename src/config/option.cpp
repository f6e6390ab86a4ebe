#include "config/option.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

std::string joined(std::span<const std::string> words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), separator));
}

// The limits of a 32-bit integer hold, but nobody needs to be told.
bool worth_saying(double bound) {
  return std::isfinite(bound) && std::abs(bound) < std::numeric_limits<std::int32_t>::max();
}

std::string range_words(const Option& option) {
  const bool low = worth_saying(option.low);
  const bool high = worth_saying(option.high);
  if (low && option.low_excluded && high)
    return fmt::format(" above {} and at most {}", option.low, option.high);
  if (low && option.low_excluded) return fmt::format(" above {}", option.low);
  if (low && high) return fmt::format(" from {} to {}", option.low, option.high);
  if (low) return fmt::format(" of at least {}", option.low);
  if (high) return fmt::format(" of at most {}", option.high);
  return "";
}

std::string kind_words(const Option& option) {
  switch (option.kind) {
    case OptionKind::flag:
      return "true or false";
    case OptionKind::integer:
      return option.list ? "integers" : "an integer";
    case OptionKind::real:
      return option.list ? "numbers" : "a number";
    case OptionKind::path:
      return option.list ? "paths" : "a path";
    case OptionKind::text:
      return option.list ? "texts" : "a text";
  }
  return "";
}

std::string quoted(const Scalar& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("'{}'", *text);
  return to_words({value});
}

[[noreturn]] void refuse(const Option& option, const std::string& value, const std::string& label) {
  fail("{} = {}: expected {}", label, value, expectation(option));
}

void check_range(const Option& option, double value, const Scalar& scalar, const std::string& label) {
  const bool above = option.low_excluded ? value > option.low : value >= option.low;
  if (!std::isfinite(value) || !above || value > option.high) refuse(option, quoted(scalar), label);
}

void check_choice(const Option& option, const std::string& value, const std::string& label) {
  const auto& choices = option.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  if (value.empty() && !option.list) return;  // not set: `required` sees to that
  fail("{} = '{}': did you mean '{}'? Expected {}", label, value, nearest_name(value, choices),
       expectation(option));
}

// An integer will do where a real number is expected.
Scalar converted(const Option& option, const Scalar& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (option.kind == OptionKind::real && integer != nullptr) return static_cast<double>(*integer);
  return value;
}

bool has_kind(const Scalar& value, OptionKind kind) {
  switch (kind) {
    case OptionKind::flag:
      return std::holds_alternative<bool>(value);
    case OptionKind::integer:
      return std::holds_alternative<std::int64_t>(value);
    case OptionKind::real:
      return std::holds_alternative<double>(value);
    default:
      return std::holds_alternative<std::string>(value);
  }
}

Scalar checked(const Option& option, const Scalar& given, const std::string& label) {
  const Scalar value = converted(option, given);
  if (!has_kind(value, option.kind)) refuse(option, quoted(given), label);
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    check_range(option, static_cast<double>(*integer), value, label);
  if (const auto* real = std::get_if<double>(&value)) check_range(option, *real, value, label);
  if (const auto* text = std::get_if<std::string>(&value)) check_choice(option, *text, label);
  return value;
}

template <class T>
Scalar parse_number(const Option& option, const std::string& word, const std::string& label) {
  T value{};
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stop != end) refuse(option, fmt::format("'{}'", word), label);
  return value;
}

Scalar parse(const Option& option, const std::string& word, const std::string& label) {
  switch (option.kind) {
    case OptionKind::flag:
      if (word != "true" && word != "false") refuse(option, fmt::format("'{}'", word), label);
      return word == "true";
    case OptionKind::integer:
      return parse_number<std::int64_t>(option, word, label);
    case OptionKind::real:
      return parse_number<double>(option, word, label);
    default:
      return word;
  }
}

std::vector<std::string> split_at_commas(const std::string& word) {
  std::vector<std::string> parts(1);
  for (const char c : word) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

Option& Option::with_letter(char short_name) {
  letter = short_name;
  return *this;
}

Option& Option::shown_as(std::string word) {
  value_name = std::move(word);
  return *this;
}

Option& Option::as_positional() {
  positional = true;
  return *this;
}

Option& Option::as_required() {
  required = true;
  return *this;
}

Option& Option::only_on_command_line() {
  command_line_only = true;
  return *this;
}

Option& Option::one_of(std::vector<std::string> names) {
  choices = std::move(names);
  return *this;
}

Option& Option::between(double lowest, double highest) {
  low = std::max(low, lowest);
  high = std::min(high, highest);
  return *this;
}

Option& Option::at_least(double lowest) { return between(lowest, high); }

Option& Option::above(double bound) {
  low_excluded = true;
  return between(bound, high);
}

std::string expectation(const Option& option) {
  if (!option.choices.empty())
    return fmt::format("{}one of {}", option.list ? "a list of values, each " : "",
                       joined(option.choices, ", "));
  return (option.list ? "a list of " : "") + kind_words(option) + range_words(option);
}

void assign(const Option& option, const Values& values, const std::string& label) {
  if (!option.list && values.size() != 1) {
    require(values.empty(), "{} = {}: expected {}, not a list", label, to_words(values), expectation(option));
    require(option.optional, "{} has no value: expected {}", label, expectation(option));
  }
  Values accepted;
  for (const Scalar& value : values) accepted.push_back(checked(option, value, label));
  option.store(accepted);
}

void assign_words(const Option& option, std::span<const std::string> words, const std::string& label) {
  require(option.list || option.kind == OptionKind::flag || words.size() == 1,
          "{} is given {} times ({}): expected it once", label, words.size(), joined(words, ", "));
  Values values;
  for (const std::string& word : words) {
    for (const std::string& part : option.list ? split_at_commas(word) : std::vector{word}) {
      require(!option.list || !part.empty(), "{} = '{}': an item of the list is empty", label, word);
      values.push_back(parse(option, part, label));
    }
  }
  if (option.kind == OptionKind::flag && !option.list) values = {values.back()};
  assign(option, values, label);
}

bool is_set(const Values& values) {
  if (values.empty()) return false;
  const auto* text = std::get_if<std::string>(&values.front());
  return text == nullptr || !text->empty() || values.size() > 1;
}

std::string to_words(const Values& values) {
  std::string text;
  for (const Scalar& value : values) {
    text += text.empty() ? "" : ",";
    std::visit([&](const auto& one) { text += fmt::format("{}", one); }, value);
  }
  return text;
}

}  // namespace nouq
