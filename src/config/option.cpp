#include "config/option.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nouq {
namespace {

// The limits of a 32-bit integer hold, but are not worth a message.
bool worth_saying(double bound) {
  return std::isfinite(bound) && std::abs(bound) < std::numeric_limits<std::int32_t>::max();
}

std::string range_words(const Option& option) {
  const bool low = worth_saying(option.low);
  const bool high = worth_saying(option.high);
  if (low && option.low_excluded && high)
    return fmt::format(" above {} and at most {}", option.low, option.high);
  if (low && option.low_excluded) return fmt::format(" above {}", option.low);
  if (low && high && option.high_excluded)
    return fmt::format(" of at least {} and below {}", option.low, option.high);
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

Option& Option::below(double bound) {
  high_excluded = true;
  return between(low, bound);
}

Option& Option::only_for(std::vector<std::string> names) {
  owners = std::move(names);
  return *this;
}

Option& Option::about(std::string text) {
  paragraph = std::move(text);
  return *this;
}

Option& Option::in_unit(std::string word) {
  unit = std::move(word);
  return *this;
}

Option& Option::since_version(std::string version) {
  since = std::move(version);
  return *this;
}

Option& Option::without_effect_on_result() {
  affects_result = false;
  return *this;
}

std::string identifier(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string option_name(std::string identifier) {
  std::replace(identifier.begin(), identifier.end(), '_', '-');
  return identifier;
}

std::string expectation(const Option& option) {
  if (!option.choices.empty())
    return fmt::format("{}one of {}", option.list ? "a list of values, each " : "",
                       fmt::join(option.choices, ", "));
  return (option.list ? "a list of " : "") + kind_words(option) + range_words(option);
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
