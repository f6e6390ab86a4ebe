// nouq problems, methods, metrics, constraints: what there is, straight from the registries.
#include <nouq/problem.h>

#include "commands.h"
#include "conserve/constraint_registry.h"
#include "core/error.h"
#include "metrics/metric.h"
#include "uq/method.h"

namespace nouq::cli {
namespace {

struct NoOptions {};

OptionTable problems_table(NoOptions&) {
  return {"problems", "list the built-in PDE problems with their parameter ranges"};
}

Json ranges_of(const Problem& problem) {
  Json ranges;
  for (const Shift shift : all_shifts) {
    const auto range = problem.range(shift);
    ranges[to_string(shift)] = {range.low, range.high};
  }
  return ranges;
}

Json options_of(const Problem& problem) {
  Json options = Json::array();
  for (const ProblemOption& option : problem.description().options)
    options.push_back(
        {{"name", option.name}, {"default", option.default_value}, {"meaning", option.meaning}});
  return options;
}

Json json_of(const Problem& problem) {
  const auto& about = problem.description();
  return {{"name", about.name},
          {"words", about.words},
          {"equation", about.equation},
          {"conditions", about.conditions},
          {"parameter", about.parameter.symbol},
          {"ranges", ranges_of(problem)},
          {"options", options_of(problem)},
          {"mass_law", problem.has_mass_law()}};
}

void print_problem(const Problem& problem, const Output& output) {
  const auto& about = problem.description();
  output.print("{:<14} {}\n", about.name, about.words);
  output.print("{:<14} {};  {}\n", "", about.equation, about.conditions);
  std::string ranges;
  for (const Shift shift : all_shifts) {
    const auto range = problem.range(shift);
    ranges +=
        fmt::format("{} {} [{}, {}]", ranges.empty() ? "" : ",", to_string(shift), range.low, range.high);
  }
  output.print("{:<14} {}:{}\n", "", about.parameter.symbol, ranges);
  for (const ProblemOption& option : about.options)
    output.print("{:<14} --option {}={}: {}\n", "", option.name, option.default_value, option.meaning);
  output.print("\n");
}

void list_problems(const NoOptions&, Output& output) {
  Json list = Json::array();
  for (const std::string& name : problem_names()) {
    const auto problem = make_problem(name);
    print_problem(*problem, output);
    list.push_back(json_of(*problem));
  }
  output.result(list);
}

OptionTable methods_table(NoOptions&) {
  return {"methods", "list the uncertainty methods that a surrogate can be trained with"};
}

void list_methods(const NoOptions&, Output& output) {
  Json list = Json::array();
  for (const std::string& name : method_names()) {
    const Method& method = find_method(name);
    const std::string counted(method.count_means());
    output.print("{:<10} {}{}\n", name, method.summary(), counted.empty() ? "" : "; --count: " + counted);
    list.push_back({{"name", name}, {"summary", method.summary()}, {"count", counted}});
  }
  output.result(list);
}

OptionTable metrics_table(NoOptions&) { return {"metrics", "list the metrics a prediction is judged by"}; }

void list_metrics(const NoOptions&, Output& output) {
  Json list = Json::array();
  for (const MetricInfo& metric : all_metrics()) {
    output.print("{:<20} {}\n", metric.name, metric.summary);
    list.push_back({{"name", metric.name}, {"summary", metric.summary}});
  }
  output.result(list);
}

OptionTable constraints_table(NoOptions&) {
  return {"constraints", "list the kinds of constraints that a prediction can be projected onto"};
}

void list_constraints(const NoOptions&, Output& output) {
  Json list = Json::array();
  for (const ConstraintKind& kind : all_constraint_kinds()) {
    output.print("{:<10} {}\n{:<10} settings: {}\n", kind.name, kind.summary, "", kind.settings);
    list.push_back({{"name", kind.name}, {"summary", kind.summary}, {"settings", kind.settings}});
  }
  output.result(list);
}

}  // namespace

Command problems_command() { return make_command(problems_table, list_problems); }

Command methods_command() { return make_command(methods_table, list_methods); }

Command metrics_command() { return make_command(metrics_table, list_metrics); }

Command constraints_command() { return make_command(constraints_table, list_constraints); }

}  // namespace nouq::cli
