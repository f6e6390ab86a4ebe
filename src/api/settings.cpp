// Settings of a training as text, by name and as a list: visitors of their one description.
#include <nouq/train.h>

#include "config/option_table.h"
#include "config/python_text.h"
#include "config/settings_text.h"
#include "config/toml.h"
#include "core/names.h"
#include "uq/train_settings.h"

namespace nouq {
namespace {

OptionTable table_of(TrainSettings& settings) {
  OptionTable table("train", "");
  describe(table, settings);
  return table;
}

}  // namespace

TrainSettings settings_from_toml(const std::string& text, const TrainSettings& base) {
  TrainSettings settings = base;
  apply_toml_keys(text, "settings", table_of(settings));
  return settings;
}

TrainSettings settings_from_json(const std::string& text, const TrainSettings& base) {
  TrainSettings settings = base;
  apply_json(text, "settings", table_of(settings));
  return settings;
}

std::string difference(const TrainSettings& first, const TrainSettings& second) {
  TrainSettings a = first, b = second;
  return difference(table_of(a), table_of(b));
}

void set_option(TrainSettings& settings, const std::string& name, const OptionValue& value) {
  const OptionTable table = table_of(settings);
  const Option* option = table.find(option_name(name));
  if (option == nullptr) {
    std::vector<std::string> names;
    for (const Option& one : table.options()) names.push_back(identifier(one.name));
    fail_unknown_name("option", name, names);
  }
  assign(*option, value.values(), name);
}

std::vector<SettingInfo> train_settings() {
  TrainSettings settings;
  const OptionTable table = table_of(settings);
  const std::vector<std::string> keywords = python_keywords(table);
  std::vector<SettingInfo> list;
  for (std::size_t i = 0; i < table.options().size(); ++i) {
    const Option& option = table.options()[i];
    list.push_back({identifier(option.name), keywords[i], explanation(option), option.paragraph, option.group,
                    option.list, option.kind == OptionKind::path});
  }
  return list;
}

}  // namespace nouq
