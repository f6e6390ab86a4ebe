#include <algorithm>
#include <cmath>

#include "conserve/constraint_registry.h"
#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

const Array<double>& find_array(const std::string& name, const ConstraintContext& context) {
  const auto found = context.arrays.find(name);
  if (found != context.arrays.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, array] : context.arrays) names.push_back(known);
  fail_unknown_name("array", name, names);
}

}  // namespace

Settings::Settings(std::string kind, std::map<std::string, Value> values)
    : kind_(std::move(kind)), values_(std::move(values)) {}

void Settings::allow(std::span<const std::string> names) const {
  for (const auto& [name, value] : values_) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      fail_unknown_name("setting of constraint " + kind_, name, names);
  }
}

template <class Type>
const Type& Settings::get(const std::string& name, const char* expected) const {
  const auto found = values_.find(name);
  require(found != values_.end(), "constraint {}: {} is missing, expected {}", kind_, name, expected);
  const Type* value = std::get_if<Type>(&found->second);
  require(value != nullptr, "constraint {}: {} is of the wrong type, expected {}", kind_, name, expected);
  return *value;
}

double Settings::number(const std::string& name, double otherwise) const {
  return has(name) ? get<double>(name, "a number") : otherwise;
}

Index Settings::index(const std::string& name, Index otherwise) const {
  const double value = number(name, static_cast<double>(otherwise));
  require(value == std::floor(value) && std::abs(value) < 1e15,
          "constraint {}: {} = {}, expected a whole number", kind_, name, value);
  return static_cast<Index>(value);
}

std::string Settings::text(const std::string& name) const { return get<std::string>(name, "a text"); }

std::string Settings::text(const std::string& name, const std::string& otherwise) const {
  return has(name) ? text(name) : otherwise;
}

std::vector<std::string> Settings::texts(const std::string& name) const {
  const auto found = values_.find(name);
  if (found != values_.end() && std::holds_alternative<std::vector<std::string>>(found->second))
    return std::get<std::vector<std::string>>(found->second);
  return {get<std::string>(name, "a text or a list of texts")};
}

Array<double> Settings::array(const std::string& name, const ConstraintContext& context) const {
  const auto found = values_.find(name);
  if (found != values_.end()) {
    if (const auto* number = std::get_if<double>(&found->second)) return Array<double>({1, 1}, *number);
    if (const auto* list = std::get_if<std::vector<double>>(&found->second))
      return {{1, static_cast<Index>(list->size())}, *list};
  }
  return find_array(get<std::string>(name, "a number, a list of numbers or the name of an array"), context);
}

std::vector<Index> Settings::indices(const std::string& name, const ConstraintContext& context) const {
  std::vector<Index> list;
  for (const double value : array(name, context)) {
    require(value == std::floor(value) && value >= 0 && value < 1e15,
            "constraint {}: {} has the entry {}, expected whole numbers, not negative", kind_, name, value);
    list.push_back(value);
  }
  return list;
}

}  // namespace nouq
