// nouq problems, methods, architectures, metrics, constraints: what there is, straight from the registries.
#include <fmt/ranges.h>
#include <nouq/architecture.h>
#include <nouq/constraint.h>
#include <nouq/metrics.h>
#include <nouq/problem.h>
#include <nouq/train.h>

#include "commands.h"

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
  for (const MethodInfo& method : method_list()) {
    output.print("{:<10} {}{}\n", method.name, method.summary,
                 method.count.empty() ? "" : "; --count: " + method.count);
    list.push_back({{"name", method.name}, {"summary", method.summary}, {"count", method.count}});
  }
  output.result(list);
}

OptionTable architectures_table(NoOptions&) {
  return {"architectures", "list the architectures that a surrogate's networks can have"};
}

Json json_of(const ArchitectureInfo& architecture) {
  Json settings = Json::array();
  for (const ArchitectureSetting& setting : architecture.settings)
    settings.push_back({{"name", setting.name},
                        {"meaning", setting.help},
                        {"default", setting.value},
                        {"low", setting.low},
                        {"high", setting.high}});
  return {{"name", architecture.name}, {"summary", architecture.summary}, {"settings", settings}};
}

void list_architectures(const NoOptions&, Output& output) {
  Json list = Json::array();
  for (const ArchitectureInfo& architecture : architecture_list()) {
    output.print("{:<10} {}\n", architecture.name, architecture.summary);
    for (const ArchitectureSetting& setting : architecture.settings)
      output.print("{:<10} --{} {}: {}\n", "", setting.name, setting.value, setting.help);
    list.push_back(json_of(architecture));
  }
  output.result(list);
}

OptionTable metrics_table(NoOptions&) { return {"metrics", "list the metrics a prediction is judged by"}; }

void list_metrics(const NoOptions&, Output& output) {
  Json list = Json::array();
  for (const MetricInfo& metric : metric_list()) {
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
  for (const ConstraintInfo& kind : constraint_list()) {
    const std::string settings = fmt::format("{}", fmt::join(kind.settings, " "));
    output.print("{:<10} {}\n{:<10} settings: {}\n", kind.name, kind.summary, "", settings);
    list.push_back({{"name", kind.name}, {"summary", kind.summary}, {"settings", settings}});
  }
  output.result(list);
}

}  // namespace

Command problems_command() { return make_command(problems_table, list_problems); }

Command methods_command() { return make_command(methods_table, list_methods); }

Command architectures_command() { return make_command(architectures_table, list_architectures); }

Command metrics_command() { return make_command(metrics_table, list_metrics); }

Command constraints_command() { return make_command(constraints_table, list_constraints); }

}  // namespace nouq::cli
