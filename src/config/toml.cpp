#include "config/toml.h"

#include "core/error.h"
#include "core/file.h"
#include "core/names.h"
#include "core/toml_text.h"

namespace nouq {
namespace {

std::string place(const std::string& source, const toml::source_region& region) {
  return fmt::format("{}:{}", source, region.begin.line);
}

// A number, text or truth value; anything else (a date, a table) has no place here.
Scalar scalar(const toml::node& node, const std::string& label) {
  if (const auto* value = node.as_boolean()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) return value->get();
  if (const auto* value = node.as_string()) return value->get();
  fail("{}: a {} has no place here", label,
       node.is_table()   ? "table"
       : node.is_array() ? "list in a list"
                         : "date or time");
}

Values values_of(const toml::node& node, const Option& option, const std::string& label) {
  const toml::array* items = node.as_array();
  if (items == nullptr) {
    const Scalar value = scalar(node, label);
    require(!option.list, "{} = {}: expected {}, in brackets", label, to_words({value}), expectation(option));
    return {value};
  }
  Values values;
  for (const toml::node& item : *items) values.push_back(scalar(item, label));
  return values;
}

void require_known_key(const Option* option, const std::string& key, const OptionTable& table,
                       const std::string& where) {
  if (option != nullptr) {
    require(!option->command_line_only, "{}: '{}' can be given on the command line only", where, key);
    return;
  }
  std::vector<std::string> names;
  for (const Option& one : table.options()) {
    if (!one.command_line_only) names.push_back(one.name);
  }
  require(!names.empty(), "{}: unknown key '{}': [{}] takes none", where, key, table.name());
  fail("{}: unknown key '{}' in [{}]; did you mean '{}'?", where, key, table.name(),
       nearest_name(key, names));
}

void apply_table(const toml::table& section, const std::string& source, const OptionTable& table) {
  for (const auto& [key, node] : section) {
    const std::string name(key.str());
    const std::string where = place(source, key.source());
    const Option* option = table.find(option_name(name));
    require_known_key(option, name, table, where);
    const std::string label = fmt::format("{}: {}", where, name);
    assign(*option, values_of(node, *option, label), label);
  }
}

const OptionTable& table_named(const std::string& name, const std::string& where,
                               std::span<const OptionTable* const> tables) {
  std::vector<std::string> names;
  for (const OptionTable* table : tables) {
    if (table->name() == name) return *table;
    names.push_back(table->name());
  }
  fail("{}: unknown table [{}]; did you mean [{}]?", where, name, nearest_name(name, names));
}

std::string toml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (code < 0x20U || code == 0x7FU) {
      result += fmt::format("\\u{:04X}", code);
    } else {
      result += c;
    }
  }
  return result + '"';
}

// Shortest digits that give the number back, and always a mark that it is not an integer.
std::string toml_real(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

std::string toml_scalar(const Scalar& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return toml_text(*text);
  if (const auto* real = std::get_if<double>(&value)) return toml_real(*real);
  return to_words({value});
}

std::string toml_value(const Option& option, const Values& values) {
  if (!option.list) return values.empty() ? "" : toml_scalar(values.front());
  std::string list;
  for (const Scalar& value : values) list += (list.empty() ? "" : ", ") + toml_scalar(value);
  return "[" + list + "]";
}

}  // namespace

std::vector<std::string> apply_toml(std::string_view text, const std::string& source,
                                    std::span<const OptionTable* const> tables) {
  require(!tables.empty(), "{}: there is nothing to configure", source);
  std::vector<std::string> found;
  for (const auto& [key, node] : parse_toml(text, source)) {
    const std::string name(key.str());
    const std::string where = place(source, key.source());
    const toml::table* section = node.as_table();
    require(section != nullptr, "{}: '{}' stands outside a table; put it under [{}] or the like", where, name,
            tables.front()->name());
    apply_table(*section, source, table_named(name, where, tables));
    found.push_back(name);
  }
  return found;
}

void apply_toml_keys(std::string_view text, const std::string& source, const OptionTable& table) {
  const toml::table keys = parse_toml(text, source);
  const toml::node* heading = keys.get(table.name());
  const bool under_heading = keys.size() == 1 && heading != nullptr && heading->is_table();
  apply_table(under_heading ? *heading->as_table() : keys, source, table);
}

std::vector<std::string> load_toml(const std::filesystem::path& path,
                                   std::span<const OptionTable* const> tables) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return apply_toml({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string(), tables);
}

std::string to_toml(const OptionTable& table) {
  std::string text = fmt::format("[{}]\n", table.name());
  for (const Option& option : table.options()) {
    if (option.command_line_only) continue;
    const Values values = option.load();
    const bool unset = !option.list && !is_set(values) && values == option.default_values;
    text += fmt::format("# {}\n{}{} = {}\n", option.help, unset ? "# " : "", option.name,
                        unset ? "(not set)" : toml_value(option, values));
  }
  return text;
}

}  // namespace nouq
