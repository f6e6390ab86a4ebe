// Turns constraints.def into the list and the look-up by name.
#include "conserve/constraint_registry.h"

#include <sstream>

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

constexpr ConstraintKind entries[] = {
#define NOUQ_CONSTRAINT(name, add, settings, summary) {name, settings, summary, constraint_kinds::add},
#include "conserve/constraints.def"
#undef NOUQ_CONSTRAINT
};

void set_own_slack(LinearConstraints& rows, const Array<double>& slack, const std::string& kind) {
  require(slack.size() == 1 || slack.size() == rows.rows(),
          "constraint {}: slack of shape {}, expected one number, or one for each of its {} rows", kind,
          to_string(slack.shape()), rows.rows());
  for (std::size_t r = 0; r < rows.slack.size(); ++r)
    rows.slack[r] = slack[slack.size() == 1 ? 0 : static_cast<Index>(r)];
}

}  // namespace

std::span<const ConstraintKind> all_constraint_kinds() { return entries; }

const ConstraintKind& find_constraint_kind(std::string_view name) {
  std::vector<std::string> names;
  for (const ConstraintKind& kind : entries) {
    if (name == kind.name) return kind;
    names.emplace_back(kind.name);
  }
  fail_unknown_name("constraint kind", name, names);
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
  rows.set_slack(context.slack);
  if (settings.has("slack")) set_own_slack(rows, settings.array("slack", context), settings.kind());
  validate(rows, context.layout.points(), rows.right_hand_sides.extent(0));
  const LinearConstraints parts[] = {std::move(set.equalities), std::move(rows)};
  set.equalities = stack(parts);
}

}  // namespace nouq
