#include "conserve/constraint_file.h"

#include <algorithm>
#include <cmath>

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

// One [[axis]]: its name, its kind, and coordinates as a list or as the name of an array.
Axis axis_of(const toml::table& table, const ConstraintContext& context) {
  std::map<std::string, Settings::Value> values;
  for (const auto& [key, node] : table)
    values.emplace(std::string(key.str()), value_of(std::string(key.str()), node));
  const Settings settings("axis", std::move(values));
  settings.allow(std::vector<std::string>{"name", "unit", "kind", "coordinates"});
  const Array<double> coordinates = settings.array("coordinates", context);
  return {settings.text("name"),
          settings.text("unit", ""),
          {coordinates.begin(), coordinates.end()},
          axis_kind_from_name(settings.text("kind", "points"))};
}

// Coordinates are checked here: these grids have not been checked before.
void require_increasing(const Axis& axis) {
  require(!axis.coordinates.empty(), "axis {} has no coordinates", axis.name);
  for (std::size_t i = 0; i < axis.coordinates.size(); ++i)
    require(std::isfinite(axis.coordinates[i]) && (i == 0 || axis.coordinates[i] > axis.coordinates[i - 1]),
            "axis {}: coordinate {} is {}, expected finite numbers that increase", axis.name, i,
            axis.coordinates[i]);
}

FieldLayout layout_in(const toml::table& file, const std::string& source, const ConstraintContext& context) {
  const toml::array* list = file["axis"].as_array();
  require(list != nullptr && !list->empty(), "{}: no [[axis]] in it", source);
  const auto channels = file["channels"].value<std::int64_t>().value_or(1);
  require(channels >= 1, "{}: channels = {}, expected at least 1", source, channels);
  FieldLayout layout{{}, channels};
  int number = 0;
  for (const toml::node& node : *list) {
    with_source(fmt::format("{}, axis {}", source, ++number), [&] {
      const toml::table* table = node.as_table();
      require(table != nullptr, "it is not a table");
      layout.grid.push_back(axis_of(*table, context));
      require_increasing(layout.grid.back());
    });
  }
  return layout;
}

void require_entries(const toml::table& file, const std::string& source,
                     std::initializer_list<std::string_view> known, const char* expected) {
  for (const auto& [key, node] : file)
    require(std::find(known.begin(), known.end(), key.str()) != known.end(),
            "{}: unknown entry '{}', expected {}", source, key.str(), expected);
}

ConstraintSet constraints_in(const toml::table& file, const std::string& source,
                             const ConstraintContext& context) {
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

}  // namespace

ConstraintSet parse_constraints(std::string_view text, const std::string& source,
                                const ConstraintContext& context) {
  const toml::table file = parse_toml(text, source);
  require_entries(file, source, {"constraint"}, "[[constraint]]");
  return constraints_in(file, source, context);
}

GriddedConstraints parse_gridded_constraints(std::string_view text, const std::string& source,
                                             ConstraintContext context) {
  const toml::table file = parse_toml(text, source);
  require_entries(file, source, {"constraint", "axis", "channels"}, "[[constraint]], [[axis]] or channels");
  context.layout = layout_in(file, source, context);
  ConstraintSet set = constraints_in(file, source, context);
  return {std::move(context.layout), std::move(set)};
}

ConstraintSet read_constraint_file(const std::filesystem::path& path, const ConstraintContext& context) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return parse_constraints({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string(),
                           context);
}

}  // namespace nouq
