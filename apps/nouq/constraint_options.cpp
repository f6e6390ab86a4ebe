#include "constraint_options.h"

#include <algorithm>
#include <cmath>

#include "argument_values.h"
#include "conserve/constraint_file.h"
#include "conserve/law.h"
#include "constraint_arguments.h"
#include "core/error.h"
#include "data/laws.h"
#include "data/load.h"
#include "physics/physics.h"

namespace nouq::cli {
namespace {

class Builder {
 public:
  Builder(const ConstraintOptions& options, const ConstraintSubject& subject)
      : options_(options), data_(subject.data), context_{subject.layout, subject.values, options.slack} {
    given_.set.equalities.points = context_.layout.points();
  }

  GivenConstraints build(bool bounded) {
    for (const std::string& text : options_.constraints) add_words(text);
    if (!options_.file.empty()) add_file();
    if (!options_.problem.empty()) add_law(bounded);
    if (given_.parts.empty() && data_ != nullptr) add_laws_of_data();
    if (bounded && data_ != nullptr && !data_->bounds.empty()) add_bounds_of_data();
    add_bounds();
    return std::move(given_);
  }

 private:
  // Whatever was stacked since the last part is this one.
  void close_part(std::string name) {
    const Index first = given_.parts.empty() ? 0 : given_.parts.back().first + given_.parts.back().rows;
    given_.parts.push_back({std::move(name), first, given_.set.equalities.rows() - first});
  }

  void add_words(const std::string& text) {
    add_constraint(parse_constraint(text, context_.arrays), context_, given_.set);
    close_part(text);
  }

  void add_set(const ConstraintSet& more, std::string name) {
    const LinearConstraints both[] = {std::move(given_.set.equalities), more.equalities};
    given_.set.equalities = stack(both);
    tighten(given_.set.inequalities, more.inequalities.lower, more.inequalities.upper);
    if (more.inequalities.monotone) add_monotone(given_.set.inequalities, *more.inequalities.monotone);
    close_part(std::move(name));
  }

  void add_file() { add_set(read_constraint_file(options_.file, context_), options_.file.string()); }

  void add_law(bool bounded) {
    const auto problem = make_problem(options_.problem);
    ConstraintSet law = law_of(*problem, context_.layout.grid, parameters_of(*problem), {.bounds = bounded});
    require(law.equalities.rows() > 0 || bounded,
            "--problem {}: it has no mass law; --bounded takes its bounds", options_.problem);
    law.equalities.set_slack(options_.slack);
    add_set(law, "law of " + options_.problem);
  }

  std::vector<double> parameters_of(const Problem& problem) const {
    if (!options_.parameters.empty()) return parse_parameters(options_.parameters, problem);
    require(data_ != nullptr && data_->parameters.size() == data_->size(),
            "--problem {}: its parameter is not known; give --param {}=VALUE, for all samples or for each",
            options_.problem, problem.description().parameter.symbol);
    return {data_->parameters.begin(), data_->parameters.end()};
  }

  // A data set's own laws; "mass" without one is the integral over all axes but the time.
  void add_laws_of_data() {
    Laws laws = laws_of(*data_);
    if (data_->constraint_values.contains(mass_name) && !laws.contains(mass_name)) {
      for (const Axis& axis : context_.layout.grid) {
        if (axis.name != "t") laws[mass_name].axes.push_back(axis.name);
      }
    }
    for (const auto& [name, law] : laws)
      add_words(fmt::format("integral axis={} value={}{}", fmt::join(law.axes, "+"), name,
                            law.channel == 0 ? "" : fmt::format(" channel={}", law.channel)));
  }

  void add_bounds_of_data() {
    const Physics physics = physics_of({context_.layout, {}, {}, data_->bounds, nullptr, {}});
    tighten(given_.set.inequalities, physics.bounds.lower, physics.bounds.upper);
  }

  void add_bounds() {
    std::map<std::string, Settings::Value> bounds;
    if (!options_.lower.empty()) bounds["lower"] = parse_setting(options_.lower, "--lower", context_.arrays);
    if (!options_.upper.empty()) bounds["upper"] = parse_setting(options_.upper, "--upper", context_.arrays);
    if (!bounds.empty()) add_constraint({"bounds", bounds}, context_, given_.set);
    if (options_.monotone.empty()) return;
    const auto [axis, direction] = split_once(options_.monotone, ':');
    require(!direction.empty(), "--monotone = '{}': expected x:increasing or x:decreasing",
            options_.monotone);
    add_constraint({"monotone", {{"axis", axis}, {"direction", direction}}}, context_, given_.set);
  }

  const ConstraintOptions& options_;
  const DataSet* data_;
  ConstraintContext context_;
  GivenConstraints given_;
};

void require_same_grid(const Grid& training, const Grid& fields, const std::string& file) {
  require(shape_of(training) == shape_of(fields),
          "--slack-from {}: its grid has {} points, expected that of the fields, {}", file,
          to_string(shape_of(training)), to_string(shape_of(fields)));
  for (std::size_t a = 0; a < fields.size(); ++a) {
    const auto &given = training[a].coordinates, &wanted = fields[a].coordinates;
    const double tolerance = 1e-6 * std::max(std::abs(wanted.front()), std::abs(wanted.back()));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      require(training[a].name == fields[a].name && std::abs(given[i] - wanted[i]) <= tolerance,
              "--slack-from {}: it has {} = {} where the fields have {} = {}: expected data on the same grid",
              file, training[a].name, given[i], fields[a].name, wanted[i]);
    }
  }
}

// The arrays of the training data, and of the others those that do not belong to the predicted samples.
NamedValues arrays_for_training(const DataSet& training, const NamedValues& values, Index samples) {
  NamedValues arrays = training.constraint_values;
  for (const auto& [name, array] : values) {
    const bool of_samples = samples > 1 && array.rank() > 0 && array.extent(0) == samples;
    if (!of_samples) arrays.emplace(name, array);
  }
  return arrays;
}

// Rows that set no slack of their own get the slack that training data show under the same constraints.
void take_slack_of_training(const ConstraintOptions& options, const ConstraintSubject& subject,
                            LinearConstraints& rows) {
  if (rows.rows() == 0) return;
  const DataSet training = load_data_set(options.slack_from);
  require_same_grid(training.grid, subject.layout.grid, options.slack_from.string());
  ConstraintOptions same = options;
  same.parameters.clear();
  same.slack = options.slack + 1;  // shows which rows follow it
  const ConstraintSubject other{
      subject.layout, arrays_for_training(training, subject.values, rows.right_hand_sides.extent(0)),
      &training};
  const LinearConstraints seen = Builder(same, other).build(false).set.equalities;
  const std::vector<double> slack = slack_from_fields(seen, training.outputs.view());
  require(slack.size() == rows.slack.size(), "--slack-from {}: it gives {} constraints, the fields have {}",
          options.slack_from.string(), slack.size(), rows.slack.size());
  for (std::size_t r = 0; r < slack.size(); ++r) {
    if (seen.slack[r] != rows.slack[r]) rows.slack[r] = slack[r];
  }
}

}  // namespace

void add_constraint_options(OptionTable& table, ConstraintOptions& options) {
  table.group("What it must obey");
  table
      .add("constraint", options.constraints,
           "a constraint in words, e.g. 'integral axis=x value=mass'; 'nouq constraints' lists the kinds")
      .shown_as("'KIND NAME=VALUE ...'");
  table.add("constraints", options.file, "constraints from a TOML file, as [[constraint]] tables");
  table.add("problem", options.problem, "the law of a built-in problem").one_of(problem_names());
  table.add("param", options.parameters, "the problem's parameter: one for all samples, or one for each")
      .shown_as("NAME=VALUE");
  table.add("values", options.values, "files with the arrays that constraints name, [n, ...]")
      .shown_as("FILE");
  table.add("lower", options.lower, "lower bound: a number or an array").shown_as("X|ARRAY");
  table.add("upper", options.upper, "upper bound: a number or an array").shown_as("X|ARRAY");
  table.add("monotone", options.monotone, "the field only rises or only falls along an axis")
      .shown_as("AXIS:increasing|decreasing");
  table
      .add("slack", options.slack,
           "variance with which constraints hold that set no slack of their own; 0: exactly")
      .at_least(0);
  table.add(
      "slack-from", options.slack_from,
      "instead of --slack: a data set on the same grid, with the arrays that constraints name, whose own "
      "fields show how exactly they hold");
}

GivenConstraints make_constraints(const ConstraintOptions& options, const ConstraintSubject& subject,
                                  bool bounded) {
  require(options.parameters.empty() || !options.problem.empty(), "--param is that of --problem: give both");
  GivenConstraints given = Builder(options, subject).build(bounded);
  if (!options.slack_from.empty()) take_slack_of_training(options, subject, given.set.equalities);
  require(given.set.equalities.rows() > 0 || !given.set.inequalities.empty(),
          "there is nothing to obey: give --constraint, --constraints, --problem, or bounds");
  return given;
}

}  // namespace nouq::cli
