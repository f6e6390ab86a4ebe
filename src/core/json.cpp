#include "core/json.h"

#include <limits>
#include <set>

#include "core/error.h"

namespace nouq {
namespace {

constexpr int deepest = 8;  // our files nest four levels at most

// For messages: not more of it than a line holds.
std::string to_text(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

}  // namespace

Json parse_json(std::string_view text, const std::string& what) {
  std::vector<std::set<std::string>> seen;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    require(depth <= deepest, "{} is nested more than {} levels deep", what, deepest);
    if (event == Json::parse_event_t::object_start) seen.emplace_back();
    if (event == Json::parse_event_t::object_end) seen.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      require(seen.back().insert(key).second, "{} names '{}' twice", what, key);
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::exception& error) {
    fail("{} is not JSON ({})", what, error.what());
  }
}

Index integer(const Json& value, const std::string& what) {
  require(value.is_number_integer() &&
              (!value.is_number_unsigned() ||
               value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<Index>::max()}),
          "{} is {}: expected a whole number", what, to_text(value));
  return value.get<Index>();
}

std::vector<Index> integers(const Json& list, const std::string& what) {
  require(list.is_array(), "{} is {}: expected a list of whole numbers", what, to_text(list));
  std::vector<Index> values;
  for (const Json& value : list) values.push_back(integer(value, what));
  return values;
}

}  // namespace nouq
