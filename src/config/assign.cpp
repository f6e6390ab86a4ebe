// From values and words to variables, with every check on the way.
#include <algorithm>
#include <cmath>

#include "config/option.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parse.h"

namespace nouq {
namespace {

std::string quoted(const Scalar& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("'{}'", *text);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:#}", *real);  // 3.0 is no integer
  return to_words({value});
}

[[noreturn]] void refuse(const Option& option, const std::string& value, const std::string& label) {
  fail("{} = {}: expected {}", label, value, expectation(option));
}

void check_range(const Option& option, double value, const Scalar& scalar, const std::string& label) {
  const bool above = option.low_excluded ? value > option.low : value >= option.low;
  const bool below = option.high_excluded ? value < option.high : value <= option.high;
  if (!std::isfinite(value) || !above || !below) refuse(option, quoted(scalar), label);
}

void check_choice(const Option& option, const std::string& value, const std::string& label) {
  const auto& choices = option.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  if (value.empty() && !option.list) return;  // not set: `required` sees to that
  fail("{} = '{}': did you mean '{}'? Expected {}", label, value, nearest_name(value, choices),
       expectation(option));
}

bool is_switch(const Option& option) {
  return std::find(option.choices.begin(), option.choices.end(), "on") != option.choices.end();
}

// An integer will do where a real number is expected, and a truth value where "on" and "off" are.
Scalar converted(const Option& option, const Scalar& value) {
  const auto* flag = std::get_if<bool>(&value);
  if (option.kind == OptionKind::text && flag != nullptr && is_switch(option)) return *flag ? "on" : "off";
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
  Scalar value = converted(option, given);
  if (!has_kind(value, option.kind)) refuse(option, quoted(given), label);
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    check_range(option, static_cast<double>(*integer), value, label);
  if (const auto* real = std::get_if<double>(&value)) check_range(option, *real, value, label);
  if (const auto* text = std::get_if<std::string>(&value)) check_choice(option, *text, label);
  return value;
}

template <class T>
Scalar number(const Option& option, const std::string& word, const std::string& label) {
  T value{};
  if (!parse_number(word, value)) refuse(option, fmt::format("'{}'", word), label);
  return value;
}

Scalar parse(const Option& option, const std::string& word, const std::string& label) {
  switch (option.kind) {
    case OptionKind::flag:
      if (word != "true" && word != "false") refuse(option, fmt::format("'{}'", word), label);
      return word == "true";
    case OptionKind::integer:
      return number<std::int64_t>(option, word, label);
    case OptionKind::real:
      return number<double>(option, word, label);
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

// "0..4" is 0, 1, 2, 3, 4 in a list of integers; anything else is itself.
std::vector<std::string> expand_range(const Option& option, const std::string& part,
                                      const std::string& label) {
  const std::size_t dots = part.find("..");
  if (option.kind != OptionKind::integer || dots == std::string::npos) return {part};
  const auto end_of_range = [&](const std::string& word) {
    return std::get<std::int64_t>(number<std::int64_t>(option, word, label));
  };
  const std::int64_t first = end_of_range(part.substr(0, dots)), last = end_of_range(part.substr(dots + 2));
  constexpr std::uint64_t most = 10000;
  const bool few =
      first <= last && static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) < most;
  require(few, "{} = '{}': expected a range of at most {} integers, as in 0..4", label, part, most);
  std::vector<std::string> parts;
  for (std::int64_t k = 0; k <= last - first; ++k) parts.push_back(std::to_string(first + k));
  return parts;
}

}  // namespace

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
          "{} is given {} times ({}): expected it once", label, words.size(), fmt::join(words, ", "));
  Values values;
  for (const std::string& word : words) {
    for (const std::string& part : option.list ? split_at_commas(word) : std::vector{word}) {
      require(!option.list || !part.empty(), "{} = '{}': an item of the list is empty", label, word);
      for (const std::string& item : option.list ? expand_range(option, part, label) : std::vector{part})
        values.push_back(parse(option, item, label));
    }
  }
  if (option.kind == OptionKind::flag && !option.list) values = {values.back()};
  assign(option, values, label);
}

}  // namespace nouq
