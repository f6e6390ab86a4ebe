// nouq problems, nouq metrics: what there is, straight from the registries.
#include <cstdio>
#include <memory>

#include "commands.h"
#include "metrics/metric.h"
#include "problems/problem.h"

namespace nouq::cli {
namespace {

void list_problems() {
  for (const std::string& name : problem_names()) {
    const auto problem = make_problem(name);
    const auto& about = problem->description();
    std::printf("%-14s %s\n", name.c_str(), about.words.c_str());
    std::printf("%-14s %s;  %s\n", "", about.equation.c_str(), about.conditions.c_str());
    std::printf("%-14s %s:", "", about.parameter.symbol.c_str());
    for (const Shift shift : all_shifts) {
      const auto range = problem->range(shift);
      std::printf(" %s [%g, %g]%s", to_string(shift).c_str(), range.low, range.high,
                  shift == Shift::large ? "" : ",");
    }
    std::printf("\n\n");
  }
}

void list_metrics() {
  for (const MetricInfo& metric : all_metrics()) std::printf("%-20s %s\n", metric.name, metric.summary);
}

}  // namespace

void add_problems(CLI::App& app) {
  app.add_subcommand("problems", "list the built-in PDE problems with their parameter ranges")
      ->callback(list_problems);
}

void add_metrics(CLI::App& app) {
  app.add_subcommand("metrics", "list the metrics a prediction is judged by")->callback(list_metrics);
}

}  // namespace nouq::cli
