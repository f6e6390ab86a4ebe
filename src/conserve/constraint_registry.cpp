// Turns constraints.def into the list and the look-up by name.
#include "conserve/constraint_registry.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <nouq/constraint.h>

#include "conserve/constraint_kinds.h"
#include "core/error.h"
#include "core/names.h"

namespace nouq {

namespace constraint_kinds {
#define NOUQ_CONSTRAINT(name, add, settings, summary) \
  void add(const Settings& given, const ConstraintContext& context, ConstraintSet& set);
#include "conserve/constraints.def"
#undef NOUQ_CONSTRAINT
}  // namespace constraint_kinds

namespace {

std::deque<ConstraintKind>& entries() {
  static std::deque<ConstraintKind> all = {
#define NOUQ_CONSTRAINT(name, add, settings, summary) {name, settings, summary, constraint_kinds::add},
#include "conserve/constraints.def"
#undef NOUQ_CONSTRAINT
  };
  return all;
}

const ConstraintKind* find(std::string_view name) { return find_named(entries(), name); }

// The settings and the context of a constraint, as a kind from outside sees them.
class Request final : public ConstraintRequest {
 public:
  Request(const Settings& settings, const ConstraintContext& context)
      : settings_(settings), context_(context) {}
  [[nodiscard]] const Grid& grid() const override { return context_.layout.grid; }
  [[nodiscard]] Index channels() const override { return context_.layout.channels; }
  [[nodiscard]] std::size_t axis(const std::string& name) const override {
    return context_.layout.axis(name);
  }
  [[nodiscard]] bool has(const std::string& name) const override { return settings_.has(name); }
  [[nodiscard]] double number(const std::string& name, double otherwise) const override {
    return settings_.number(name, otherwise);
  }
  [[nodiscard]] std::string text(const std::string& name) const override { return settings_.text(name); }
  [[nodiscard]] Array<double> array(const std::string& name) const override {
    return settings_.array(name, context_);
  }

 private:
  const Settings& settings_;
  const ConstraintContext& context_;
};

void set_own_noise(LinearConstraints& rows, const Array<double>& noise_variance, const std::string& kind) {
  require(noise_variance.size() == 1 || noise_variance.size() == rows.rows(),
          "constraint {}: noise variance of shape {}, expected one number, or one for each of its {} rows",
          kind, to_string(noise_variance.shape()), rows.rows());
  for (std::size_t r = 0; r < rows.noise_variance.size(); ++r)
    rows.noise_variance[r] = noise_variance[noise_variance.size() == 1 ? 0 : static_cast<Index>(r)];
}

}  // namespace

ConstraintRequest::~ConstraintRequest() = default;

const std::deque<ConstraintKind>& all_constraint_kinds() { return entries(); }

std::vector<std::string> constraint_names() {
  std::vector<std::string> names;
  for (const ConstraintKind& kind : entries()) names.push_back(kind.name);
  return names;
}

const ConstraintKind& find_constraint_kind(std::string_view name) {
  if (const ConstraintKind* kind = find(name)) return *kind;
  fail_unknown_name("constraint kind", name, constraint_names());
}

void register_constraint(ConstraintInfo info) {
  require(!info.name.empty() && info.rows != nullptr, "a kind of constraint needs a name and a function");
  require(find(info.name) == nullptr, "constraint kind '{}' is there already: choose another name",
          info.name);
  const auto add = [rows = std::move(info.rows)](const Settings& given, const ConstraintContext& context,
                                                 ConstraintSet& set) {
    const ConstraintRows r = rows(Request(given, context));
    add_rows(sparse_constraints(context.layout.points(), r.row, r.point, r.weight, r.values), given, context,
             set);
  };
  entries().push_back(
      {info.name, fmt::format("{} noise_variance", fmt::join(info.settings, " ")), info.summary, add});
}

void add_constraint(const Settings& settings, const ConstraintContext& context, ConstraintSet& set) {
  const ConstraintKind& kind = find_constraint_kind(settings.kind());
  std::istringstream words(kind.settings);
  std::vector<std::string> names;
  for (std::string word; words >> word;) names.push_back(word);
  settings.allow(names);
  kind.add(settings, context, set);
}

void add_rows(LinearConstraints rows, const Settings& settings, const ConstraintContext& context,
              ConstraintSet& set) {
  rows.set_noise_variance(context.noise_variance);
  if (settings.has("noise_variance"))
    set_own_noise(rows, settings.array("noise_variance", context), settings.kind());
  validate(rows, context.layout.points(), rows.right_hand_sides.extent(0));
  const LinearConstraints parts[] = {std::move(set.equalities), std::move(rows)};
  set.equalities = stack(parts);
}

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
