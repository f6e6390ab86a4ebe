#include "config/option_table.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

// Only what the value's name does not say already: "an integer" for N is noise, a range or choices are not.
std::string restriction(const Option& option) {
  Option plain;
  plain.kind = option.kind;
  plain.list = option.list;
  const std::string allowed = expectation(option);
  return allowed == expectation(plain) ? "" : allowed;
}

std::string default_words(const Option& option) {
  if (option.kind == OptionKind::flag || !is_set(option.default_values)) return "";
  return "default " + to_words(option.default_values);
}

}  // namespace

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string signature(const Option& option) {
  if (option.positional) return in_capitals(option.name) + (option.list ? "..." : "");
  std::string text = option.letter != 0 ? fmt::format("-{}, ", option.letter) : "";
  text += "--" + option.name;
  if (option.kind != OptionKind::flag) text += " " + option.value_name + (option.list ? ",..." : "");
  return text;
}

std::string explanation(const Option& option) {
  const std::string allowed = restriction(option);
  const std::string initial = default_words(option);
  const std::string need = option.required ? "required" : "";
  std::string remarks;
  for (const std::string& remark : {need, allowed, initial}) {
    if (!remark.empty()) remarks += (remarks.empty() ? "" : "; ") + remark;
  }
  return remarks.empty() ? option.help : fmt::format("{} ({})", option.help, remarks);
}

std::string usage(const std::string& program, const OptionTable& table) {
  std::string text = program + " " + table.name();
  for (const Option& option : table.options()) {
    if (!option.positional) continue;
    text += option.required ? " " + signature(option) : " [" + signature(option) + "]";
  }
  return text + " [options]";
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string result;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) result += ' ';
    column += word.size() + (column > indent ? 1 : 0);
    result += word;
  }
  return result;
}

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
  if (find(option.name) != nullptr) throw_failure("option '{}' of {} is added twice", option.name, name_);
  option.group = group_;
  if (option.value_name.empty()) option.value_name = default_value_name(option);
  return options_.emplace_back(std::move(option));
}

void OptionTable::remove(const std::string& name) {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const Option& option) { return option.name == name; });
  if (found == options_.end()) throw_failure("{} has no option '{}' to remove", name_, name);
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

const Option* OptionTable::find(const std::string& name) const { return find_named(options_, name); }

void OptionTable::require_complete() const {
  for (const Option& option : options_) {
    if (!option.required || is_set(option.load())) continue;
    fail("{} needs {} ({})", name_, option.positional ? in_capitals(option.name) : "--" + option.name,
         option.help);
  }
}

}  // namespace nouq
