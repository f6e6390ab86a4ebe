// Turns constraints.def into the list and the look-up by name.
#include "conserve/constraint_registry.h"

#include <algorithm>
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

const ConstraintKind* find(std::string_view name) {
  const auto found = std::find_if(entries().begin(), entries().end(),
                                  [&](const ConstraintKind& kind) { return kind.name == name; });
  return found == entries().end() ? nullptr : &*found;
}

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

void set_own_slack(LinearConstraints& rows, const Array<double>& slack, const std::string& kind) {
  require(slack.size() == 1 || slack.size() == rows.rows(),
          "constraint {}: slack of shape {}, expected one number, or one for each of its {} rows", kind,
          to_string(slack.shape()), rows.rows());
  for (std::size_t r = 0; r < rows.slack.size(); ++r)
    rows.slack[r] = slack[slack.size() == 1 ? 0 : static_cast<Index>(r)];
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
  entries().push_back({info.name, fmt::format("{} slack", fmt::join(info.settings, " ")), info.summary, add});
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
