#include "config/option_table.h"

#include <algorithm>

#include "config/describe.h"
#include "core/error.h"

namespace nouq {
namespace {

std::string default_value_name(const Option& option) {
  switch (option.kind) {
    case OptionKind::flag:
      return "";
    case OptionKind::integer:
      return "N";
    case OptionKind::real:
      return "X";
    case OptionKind::path:
      return "FILE";
    case OptionKind::text:
      return "TEXT";
  }
  return "";
}

}  // namespace

OptionTable::OptionTable(std::string name, std::string summary, std::string description)
    : name_(std::move(name)), summary_(std::move(summary)), description_(std::move(description)) {}

OptionTable& OptionTable::group(std::string heading) {
  group_ = std::move(heading);
  return *this;
}

OptionTable& OptionTable::example(std::string command, std::string meaning) {
  examples_.push_back({std::move(command), std::move(meaning)});
  return *this;
}

void OptionTable::collect_given(GivenOptions& given) {
  for (Option& option : options_) {
    option.store = [&given, name = option.name, initial = option.default_values,
                    store = std::move(option.store)](const Values& values) {
      store(values);
      given.names.insert(name);
      given.changed.erase(name);
      if (values != initial) given.changed.insert(name);
    };
  }
}

Option& OptionTable::add(Option option) {
  if (find(option.name) != nullptr) fail_internally("option '{}' of {} is added twice", option.name, name_);
  option.group = group_;
  if (option.value_name.empty()) option.value_name = default_value_name(option);
  return options_.emplace_back(std::move(option));
}

void OptionTable::remove(const std::string& name) {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const Option& option) { return option.name == name; });
  if (found == options_.end()) fail_internally("{} has no option '{}' to remove", name_, name);
  options_.erase(found);
}

std::vector<std::string> OptionTable::groups() const {
  std::vector<std::string> headings;
  for (const Option& option : options_) {
    if (std::find(headings.begin(), headings.end(), option.group) == headings.end())
      headings.push_back(option.group);
  }
  return headings;
}

const Option* OptionTable::find(const std::string& name) const {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const Option& option) { return option.name == name; });
  return found == options_.end() ? nullptr : &*found;
}

void OptionTable::require_complete() const {
  for (const Option& option : options_) {
    if (!option.required || is_set(option.load())) continue;
    fail("{} needs {} ({})", name_, option.positional ? in_capitals(option.name) : "--" + option.name,
         option.help);
  }
}

}  // namespace nouq
