#include "conserve/constraint_file.h"

#include "core/error.h"
#include "core/file.h"
#include "core/toml_text.h"

namespace nouq {
namespace {

[[noreturn]] void fail_value(const std::string& name) {
  fail("{} is neither a number nor a text nor a list of either", name);
}

Settings::Value list_of(const std::string& name, const toml::array& list) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (const toml::node& node : list) {
    if (const auto text = node.value_exact<std::string>()) {
      texts.push_back(*text);
    } else if (node.is_number()) {
      numbers.push_back(*node.value<double>());
    } else {
      fail_value(name);
    }
  }
  require(numbers.empty() || texts.empty(), "{} mixes numbers and texts", name);
  if (texts.empty()) return numbers;
  return texts;
}

Settings::Value value_of(const std::string& name, const toml::node& node) {
  if (const toml::array* list = node.as_array()) return list_of(name, *list);
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (node.is_number()) return *node.value<double>();
  fail_value(name);
}

Settings settings_of(const toml::table& table) {
  std::map<std::string, Settings::Value> values;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (name != "kind") values.emplace(name, value_of(name, node));
  }
  const auto kind = table["kind"].value_exact<std::string>();
  require(kind.has_value(), "it has no kind");
  return {*kind, std::move(values)};
}

}  // namespace

ConstraintSet parse_constraints(std::string_view text, const std::string& source,
                                const ConstraintContext& context) {
  const toml::table file = parse_toml(text, source);
  for (const auto& [key, node] : file)
    require(key.str() == "constraint", "{}: unknown entry '{}', expected [[constraint]]", source, key.str());
  const toml::array* list = file["constraint"].as_array();
  require(list != nullptr && !list->empty(), "{}: no [[constraint]] in it", source);
  ConstraintSet set;
  set.equalities.points = context.layout.points();
  int number = 0;
  for (const toml::node& node : *list) {
    ++number;
    try {
      const toml::table* table = node.as_table();
      require(table != nullptr, "it is not a table");
      add_constraint(settings_of(*table), context, set);
    } catch (const Error& error) {
      fail("{}, constraint {}: {}", source, number, error.what());
    }
  }
  return set;
}

ConstraintSet read_constraint_file(const std::filesystem::path& path, const ConstraintContext& context) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return parse_constraints({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string(),
                           context);
}

}  // namespace nouq
