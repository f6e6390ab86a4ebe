#include "serve/request.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/ranges.h>

#include "core/error.h"

namespace nouq::cli {
namespace {

constexpr int most_levels = 16;

// Before parsing: a million brackets would be a million values, one inside the other.
void require_shallow(std::string_view text) {
  int level = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      require(++level <= most_levels, "the request is nested more than {} levels deep", most_levels);
    } else if (c == ']' || c == '}') {
      --level;
    }
  }
}

}  // namespace

Json parse_request(std::string_view text) {
  require_shallow(text);
  Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  require(!json.is_discarded(), "the request is not JSON (numbers must be finite: NaN is none)");
  require(json.is_object(), "the request is JSON, but not an object: expected {{\"key\": value, ...}}");
  return json;
}

const Json& member(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  require(found != object.end(), "the request has no '{}'", key);
  return *found;
}

double number_of(const Json& value, const std::string& what) {
  require(value.is_number(), "{} is {}: expected a number", what, value.type_name());
  const auto number = value.get<double>();
  require(std::isfinite(number), "{} = {}: expected a finite number", what, number);
  return number;
}

Index integer_of(const Json& value, const std::string& what) {
  require(value.is_number_integer(), "{} is {}: expected an integer", what, value.dump());
  require(!value.is_number_unsigned() || value.get<std::uint64_t>() <= (std::uint64_t{1} << 62U),
          "{} = {}: expected a smaller integer", what, value.dump());
  return value.get<Index>();
}

std::string text_of(const Json& value, const std::string& what) {
  require(value.is_string(), "{} is {}: expected a text", what, value.type_name());
  return value.get<std::string>();
}

std::map<std::string, double> numbers_by_name(const Json& value, const std::string& what) {
  require(value.is_object(), "{} is {}: expected an object of numbers by name", what, value.type_name());
  std::map<std::string, double> numbers;
  for (const auto& [name, number] : value.items())
    numbers[name] = number_of(number, what + " '" + name + "'");
  return numbers;
}

std::vector<double> list_of_numbers(const Json& value, const std::string& what) {
  require(value.is_array(), "{} is {}: expected a list of numbers", what, value.type_name());
  std::vector<double> numbers;
  numbers.reserve(value.size());
  for (const Json& one : value) numbers.push_back(number_of(one, what));
  return numbers;
}

void require_keys(const Json& object, std::span<const std::string_view> known) {
  for (const auto& [key, value] : object.items()) {
    require(std::find(known.begin(), known.end(), key) != known.end(),
            "the request has a key '{}' that means nothing here: expected {}", key, fmt::join(known, ", "));
  }
}

void append_numbers(std::span<const double> values, std::string& text, int digits) {
  text += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    if (std::isfinite(values[i]))
      fmt::format_to(std::back_inserter(text), "{:.{}g}", values[i], digits);
    else
      text += "null";
  }
  text += ']';
}

void append_exact(std::span<const double> values, std::string& text) {
  text += '[';
  for (std::size_t i = 0; i < values.size(); ++i)
    fmt::format_to(std::back_inserter(text), "{}{}", i > 0 ? "," : "", values[i]);
  text += ']';
}

std::string error_text(const std::string& type, const std::string& message) {
  return Json{{"error", {{"type", type}, {"message", message}}}}.dump(-1, ' ', false,
                                                                      Json::error_handler_t::replace);
}

}  // namespace nouq::cli
