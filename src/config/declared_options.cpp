#include "config/declared_options.h"

#include <algorithm>

#include "core/error.h"

namespace nouq {
namespace {

bool agree(const Option& a, const Option& b) {
  return a.kind == b.kind && a.list == b.list && a.optional == b.optional && a.choices == b.choices &&
         a.low == b.low && a.high == b.high && a.low_excluded == b.low_excluded &&
         a.high_excluded == b.high_excluded && a.default_values == b.default_values;
}

}  // namespace

void DeclaredOptions::add(const std::string& owner, const OptionTable& table) {
  all_owners_.push_back(owner);
  for (const Option& option : table.options()) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.option.name == option.name; });
    if (found == entries_.end()) {
      entries_.push_back({option, {option.help}});
      entries_.back().option.owners = {owner};
      continue;
    }
    if (!agree(found->option, option))
      throw_failure("{} and {} declare the option '{}' with different kinds, ranges or defaults",
                    found->option.owners.front(), owner, option.name);
    found->option.owners.push_back(owner);
    found->help.push_back(option.help);
  }
}

std::string DeclaredOptions::help(const Entry& entry) const {
  const std::vector<std::string>& owners = entry.option.owners;
  const bool same = std::all_of(entry.help.begin(), entry.help.end(),
                                [&](const std::string& one) { return one == entry.help.front(); });
  if (same && owners.size() == all_owners_.size()) return entry.help.front();
  if (same) return fmt::format("{}, for {}", entry.help.front(), fmt::join(owners, ", "));
  std::string text;
  for (std::size_t i = 0; i < owners.size(); ++i)
    text += fmt::format("{}{} ({})",
                        i == 0                   ? ""
                        : i + 1 == owners.size() ? " or "
                                                 : ", ",
                        entry.help[i], owners[i]);
  return text;
}

std::vector<Option> DeclaredOptions::options(Options& values) const {
  std::vector<Option> result;
  for (const Entry& entry : entries_) {
    Option option = entry.option;
    option.help = help(entry);
    if (option.owners.size() == all_owners_.size()) option.owners.clear();
    const std::string key = identifier(option.name);
    option.store = [&values, key](const Values& given) { values[key] = OptionValue(given); };
    option.load = [&values, key, initial = option.default_values] {
      const auto found = values.find(key);
      return found == values.end() ? initial : found->second.values();
    };
    result.push_back(std::move(option));
  }
  return result;
}

std::vector<std::string> DeclaredOptions::owners(const std::string& name) const {
  for (const Entry& entry : entries_) {
    if (entry.option.name == name) return entry.option.owners;
  }
  return {};
}

bool DeclaredOptions::has(const std::string& name) const { return !owners(name).empty(); }

std::vector<std::string> DeclaredOptions::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.option.name);
  return names;
}

}  // namespace nouq
