// Constraints by name: what a user writes in a file or on a command line, turned into a ConstraintSet.
//
// Why: people with their own data must be able to state their law without C++. When: constraint_file.h reads
// a whole TOML file; the command line makes Settings itself and calls `add_constraint`. constraints.def lists
// the kinds. Adding one is one .cpp file, one line there, one test. Contract: unknown kinds and settings are
// refused with the nearest valid name; values are numbers or names of arrays of the data file.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conserve/field_layout.h"
#include "conserve/inequalities.h"
#include "conserve/linear_constraints.h"

namespace nouq {

struct ConstraintSet {
  LinearConstraints equalities;
  Inequalities inequalities;
};

// What a constraint is about: the grid of the fields, and the arrays of the data by name.
struct ConstraintContext {
  FieldLayout layout;
  std::map<std::string, Array<double>> arrays;
  double noise_variance = 0;  // variance of constraints that do not set their own
};

// The settings of one constraint: names and values.
class Settings {
 public:
  using Value = std::variant<double, std::string, std::vector<double>, std::vector<std::string>>;
  Settings(std::string kind, std::map<std::string, Value> values);

  [[nodiscard]] const std::string& kind() const { return kind_; }
  // Throws when a setting is none of these.
  void allow(std::span<const std::string> names) const;
  [[nodiscard]] bool has(const std::string& name) const { return values_.count(name) > 0; }
  [[nodiscard]] double number(const std::string& name, double otherwise) const;
  [[nodiscard]] Index index(const std::string& name, Index otherwise) const;
  [[nodiscard]] std::string text(const std::string& name) const;
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const;
  // One text or a list of them.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
  // A number as [1, 1], a list of numbers as [1, count], or the array of that name.
  [[nodiscard]] Array<double> array(const std::string& name, const ConstraintContext& context) const;
  // The same as whole numbers, in one list.
  [[nodiscard]] std::vector<Index> indices(const std::string& name, const ConstraintContext& context) const;

 private:
  template <class Type>
  [[nodiscard]] const Type& get(const std::string& name, const char* expected) const;

  std::string kind_;
  std::map<std::string, Value> values_;
};

struct ConstraintKind {
  std::string name;
  std::string settings;  // separated by blanks
  std::string summary;
  std::function<void(const Settings&, const ConstraintContext&, ConstraintSet&)> add;
};

// The built-in ones, then those from outside.
const std::deque<ConstraintKind>& all_constraint_kinds();
// Throws for an unknown name and says the nearest valid one.
const ConstraintKind& find_constraint_kind(std::string_view name);

// Adds what the settings say to the set.
void add_constraint(const Settings& settings, const ConstraintContext& context, ConstraintSet& set);

// For the kinds: stacks rows onto the set, with the noise variance the settings or the context give.
void add_rows(LinearConstraints rows, const Settings& settings, const ConstraintContext& context,
              ConstraintSet& set);

}  // namespace nouq
