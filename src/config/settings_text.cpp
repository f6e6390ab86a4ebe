#include "config/settings_text.h"

#include "core/error.h"
#include "core/json.h"
#include "core/names.h"

namespace nouq {
namespace {

OrderedJson json_scalar(const Scalar& value) {
  return std::visit([](const auto& one) { return OrderedJson(one); }, value);
}

OrderedJson json_value(const Option& option, const Values& values) {
  if (!option.list) return values.empty() ? OrderedJson() : json_scalar(values.front());
  OrderedJson list = OrderedJson::array();
  for (const Scalar& value : values) list.push_back(json_scalar(value));
  return list;
}

Scalar scalar(const Json& json, const std::string& label) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return integer(json, label);
  if (json.is_number()) return json.get<double>();
  require(json.is_string(), "{} is a {}: expected a truth value, a number or a text", label,
          json.type_name());
  return json.get<std::string>();
}

Values values_of(const Json& json, const std::string& label) {
  if (json.is_null()) return {};
  if (!json.is_array()) return {scalar(json, label)};
  Values values;
  for (const Json& item : json) values.push_back(scalar(item, label));
  return values;
}

std::vector<std::string> identifiers(const OptionTable& table) {
  std::vector<std::string> names;
  for (const Option& option : table.options()) names.push_back(identifier(option.name));
  return names;
}

std::string words(const Values& values) { return is_set(values) ? to_words(values) : "not set"; }

}  // namespace

std::string to_json(const OptionTable& table, Which which) {
  OrderedJson json = OrderedJson::object();
  for (const Option& option : table.options()) {
    const Values values = option.load();
    if (!option.affects_result || option.command_line_only) continue;
    if (which == Which::changed && values == option.default_values) continue;
    json[identifier(option.name)] = json_value(option, values);
  }
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

void apply_json(const std::string& text, const std::string& source, const OptionTable& table) {
  const Json json = parse_json(text, source);
  require(json.is_object(), "{}: a {}, expected an object of settings", source, json.type_name());
  for (const auto& [key, value] : json.items()) {
    const Option* option = table.find(option_name(key));
    if (option == nullptr) fail_unknown_name(source + ": setting", key, identifiers(table));
    const std::string label = fmt::format("{}: {}", source, key);
    assign(*option, values_of(value, label), label);
  }
}

std::string difference(const OptionTable& first, const OptionTable& second) {
  std::string text;
  for (const Option& option : first.options()) {
    const Option* other = second.find(option.name);
    if (other == nullptr) throw_failure("{} has no '{}' to compare with", second.name(), option.name);
    const Values a = option.load(), b = other->load();
    if (a == b || !option.affects_result) continue;
    text += fmt::format("{}{}: {} and {}", text.empty() ? "" : "; ", option.name, words(a), words(b));
  }
  return text;
}

}  // namespace nouq
