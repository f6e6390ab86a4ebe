#include "constraint_options.h"

#include <algorithm>
#include <cmath>

#include <nouq/problem.h>

#include "argument_values.h"
#include "constraint_arguments.h"
#include "core/error.h"

namespace nouq::cli {
namespace {

// Arrays as the library takes them: those that are none (empty, or of more axes than it knows) are left out.
NamedInputs inputs_of(const NamedValues& values) {
  NamedInputs inputs;
  for (const auto& [name, array] : values) {
    if (array.empty() || array.rank() > Layout::max_rank) continue;
    inputs.emplace(name, Input(array.data(), Layout(array.shape(), Order::row_major)));
  }
  return inputs;
}

class Builder {
 public:
  Builder(const ConstraintOptions& options, const ConstraintSubject& subject)
      : options_(options),
        data_(subject.data),
        axes_(subject.grid),
        grid_(fields_on(subject.grid, subject.channels)),
        values_(subject.values) {}

  GivenConstraints build(bool bounded) {
    for (const std::string& text : options_.constraints) add_words(text);
    if (!options_.file.empty()) add_file();
    if (!options_.problem.empty()) add_law(bounded);
    if (given_.parts.empty() && data_ != nullptr) add_laws_of_data();
    if (bounded && data_ != nullptr && !data_->bounds.empty())
      given_.parts.push_back({"", Constraints::within(grid_, data_->bounds)});
    add_bounds();
    return std::move(given_);
  }

 private:
  void add(const std::string& name, const std::string& kind, const std::map<std::string, Setting>& settings) {
    given_.parts.push_back(
        {name, Constraints::of_kind(grid_, kind, settings, inputs_of(values_), options_.noise_variance)});
  }

  void add_words(const std::string& text) {
    const ConstraintWords words = parse_constraint(text, values_);
    add(text, words.kind, words.settings);
  }

  void add_file() {
    const std::string path = options_.file.string();
    given_.parts.push_back(
        {path, Constraints::from_file(grid_, path, inputs_of(values_), options_.noise_variance)});
  }

  void add_law(bool bounded) {
    const auto problem = make_problem(options_.problem);
    Constraints law =
        Constraints::of(*problem, axes_, parameters_of(*problem), bounded, options_.noise_variance);
    require(law.rows() > 0 || bounded, "--problem {}: it has no mass law; --bounded takes its bounds",
            options_.problem);
    given_.parts.push_back({"law of " + options_.problem, std::move(law)});
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
      for (const Axis& axis : axes_) {
        if (axis.name != "t") laws[mass_name].axes.push_back(axis.name);
      }
    }
    for (const auto& [name, law] : laws)
      add_words(fmt::format("integral axis={} value={}{}", fmt::join(law.axes, "+"), name,
                            law.channel == 0 ? "" : fmt::format(" channel={}", law.channel)));
  }

  void add_bounds() {
    std::map<std::string, Setting> bounds;
    if (!options_.lower.empty()) bounds["lower"] = parse_setting(options_.lower, "--lower", values_);
    if (!options_.upper.empty()) bounds["upper"] = parse_setting(options_.upper, "--upper", values_);
    if (!bounds.empty()) add("", "bounds", bounds);
    if (options_.monotone.empty()) return;
    const auto [axis, direction] = split_once(options_.monotone, ':');
    require(!direction.empty(), "--monotone = '{}': expected x:increasing or x:decreasing",
            options_.monotone);
    add("", "monotone", {{"axis", axis}, {"direction", direction}});
  }

  const ConstraintOptions& options_;
  const DataSet* data_;
  Grid axes_;
  FieldGrid grid_;
  NamedValues values_;
  GivenConstraints given_;
};

void require_same_grid(const Grid& training, const Grid& fields, const std::string& file) {
  require(shape_of(training) == shape_of(fields),
          "--noise-variance-from {}: its grid has {} points, expected that of the fields, {}", file,
          to_string(shape_of(training)), to_string(shape_of(fields)));
  for (std::size_t a = 0; a < fields.size(); ++a) {
    const auto &given = training[a].coordinates, &wanted = fields[a].coordinates;
    const double tolerance = 1e-6 * std::max(std::abs(wanted.front()), std::abs(wanted.back()));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      require(
          training[a].name == fields[a].name && std::abs(given[i] - wanted[i]) <= tolerance,
          "--noise-variance-from {}: it has {} = {} where the fields have {} = {}: expected data on the same grid",
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

// How many samples the right-hand sides are for; 1 where they are the same for all.
Index samples_of(const GivenConstraints& given) {
  Index samples = 1;
  for (const auto& [name, part] : given.parts) samples = std::max(samples, part.samples());
  return samples;
}

// Rows that set no noise variance of their own get the noise variance that training data show under the same
// constraints.
void take_noise_of_training(const ConstraintOptions& options, const ConstraintSubject& subject,
                            GivenConstraints& given) {
  if (given.parts.empty() || given.all().rows() == 0) return;
  const DataSet training = read(options.noise_variance_from.string());
  require_same_grid(training.grid, subject.grid, options.noise_variance_from.string());
  ConstraintOptions same = options;
  same.parameters.clear();
  same.noise_variance = options.noise_variance + 1;  // shows which rows follow it
  const ConstraintSubject other{subject.grid,
                                arrays_for_training(training, subject.values, samples_of(given)), &training,
                                subject.channels};
  const GivenConstraints seen = Builder(same, other).build(false);
  const auto rows = [](const GivenConstraints& one) { return one.parts.empty() ? 0 : one.all().rows(); };
  require(rows(seen) == rows(given), "--noise-variance-from {}: it gives {} constraints, the fields have {}",
          options.noise_variance_from.string(), rows(seen), rows(given));
  std::size_t at = 0;
  for (auto& [name, part] : given.parts) {
    if (part.rows() == 0) continue;
    while (seen.parts.at(at).constraints.rows() == 0) ++at;
    const Constraints& shown = seen.parts.at(at++).constraints;
    std::vector<double> noise_variance = part.noise_variances();
    const std::vector<double> noise = shown.noise_of(training.outputs), tagged = shown.noise_variances();
    for (std::size_t r = 0; r < noise_variance.size(); ++r) {
      if (tagged.at(r) != noise_variance[r]) noise_variance[r] = noise.at(r);
    }
    part = part.with_noise(noise_variance);
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
      .add("noise-variance", options.noise_variance,
           "variance with which constraints hold that set no noise variance of their own; 0: exactly")
      .at_least(0);
  table.add(
      "noise-variance-from", options.noise_variance_from,
      "instead of --noise-variance: a data set on the same grid, with the arrays that constraints name, whose own "
      "fields show how exactly they hold");
}

Constraints GivenConstraints::all() const {
  std::vector<Constraints> list;
  for (const auto& [name, part] : parts) list.push_back(part);
  return Constraints::together(list);
}

GivenConstraints make_constraints(const ConstraintOptions& options, const ConstraintSubject& subject,
                                  bool bounded) {
  require(options.parameters.empty() || !options.problem.empty(), "--param is that of --problem: give both");
  GivenConstraints given = Builder(options, subject).build(bounded);
  if (!options.noise_variance_from.empty()) take_noise_of_training(options, subject, given);
  const bool something = std::any_of(given.parts.begin(), given.parts.end(), [](const ConstraintPart& part) {
    return part.constraints.rows() > 0 || part.constraints.has_bounds();
  });
  require(something, "there is nothing to obey: give --constraint, --constraints, --problem, or bounds");
  return given;
}

}  // namespace nouq::cli
