// nouq evaluate: the metrics of a model, in domain and shifted, with and without projection.
#include <algorithm>
#include <optional>

#include "commands.h"
#include "core/file.h"
#include "data/generate.h"
#include "data/load.h"
#include "metrics/metric.h"
#include "model/model_file.h"
#include "report/table.h"
#include "study/evaluation.h"

namespace nouq::cli {
namespace {

struct EvaluateOptions {
  std::filesystem::path model;
  std::vector<std::filesystem::path> data;
  std::string problem;
  std::vector<std::string> shifts;
  Index samples = 200;
  std::uint64_t seed = 1000;
  std::vector<std::string> projections = {"none"};
  std::optional<double> slack;
  std::vector<std::string> metrics = {
      "mse", "nll", "nmerci", "rmsce", "crps", "coverage", "conservation_error"};
  std::string format = "text";
  std::filesystem::path output;
  int threads = 0;
};

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricInfo& metric : all_metrics()) names.emplace_back(metric.name);
  return names;
}

OptionTable evaluate_table(EvaluateOptions& o) {
  OptionTable table(
      "evaluate", "measure a model on data files, or on a built-in problem in domain and shifted",
      "Without --data, test samples are drawn from the built-in problem that the training data came "
      "from: its training range and the three shifts, with a seed of their own.");
  table.add("model", o.model, "the model file").as_positional().as_required();
  table.group("On what");
  table.add("data", o.data, "data files to measure on").shown_as("FILE,...");
  std::vector<std::string> shifts;
  for (const Shift shift : all_shifts) shifts.push_back(to_string(shift));
  table.add("problem", o.problem, "built-in problem to draw test samples from, instead of the model's own")
      .one_of(problem_names());
  table.add("shift", o.shifts, "which ranges of the problem; all by default").one_of(shifts);
  table.add("samples", o.samples, "samples to draw from each range").with_letter('n').between(1, 1e7);
  table.add("seed", o.seed, "of the drawn samples; not that of the training data");
  table.group("How");
  table.add("conserve", o.projections, "projections to compare").one_of(projection_names());
  table.add("slack", o.slack, "variance with which the law is enforced, instead of each projection's own")
      .at_least(0);
  table.add("metrics", o.metrics, "which to show; 'nouq metrics' describes them").one_of(metric_names());
  table.add("format", o.format, "of the table").one_of({"text", "markdown", "json"});
  table.add("output", o.output, "also write the table to this file").with_letter('o').shown_as("FILE");
  table.add("threads", o.threads, "0 for all cores").at_least(0);
  table.example("nouq evaluate pme.nouq --conserve none,diagonal,bounded", "In domain and at three shifts");
  table.example("nouq evaluate mine.nouq --data test.h5 --format markdown", "On a file, as Markdown");
  return table;
}

struct TestSet {
  std::string label;
  DataSet data;
};

std::string problem_of(const EvaluateOptions& o, const Surrogate& surrogate) {
  if (!o.problem.empty()) return o.problem;
  const auto fact = surrogate.facts.find("data.problem");
  require(fact != surrogate.facts.end(),
          "{}: its training data came from no built-in problem; give --data FILE or --problem NAME",
          o.model.string());
  return fact->second;
}

std::vector<TestSet> test_sets(const EvaluateOptions& o, const Surrogate& surrogate) {
  std::vector<TestSet> sets;
  for (const auto& path : o.data) sets.push_back({path.filename().string(), load_data_set(path)});
  if (!sets.empty()) return sets;
  const auto problem = make_problem(problem_of(o, surrogate));
  for (const Shift shift : all_shifts) {
    const bool wanted =
        o.shifts.empty() || std::find(o.shifts.begin(), o.shifts.end(), to_string(shift)) != o.shifts.end();
    if (!wanted) continue;
    sets.push_back({to_string(shift), generate_data_set(*problem, {o.samples, o.seed, problem->range(shift),
                                                                   surrogate.grid, o.threads})});
  }
  return sets;
}

report::Table table_of(const EvaluateOptions& o, const Surrogate& surrogate,
                       const std::vector<TestSet>& sets) {
  report::Table table;
  table.columns = {{.header = "data"}, {.header = "projection"}};
  for (const std::string& metric : o.metrics) table.columns.push_back({.header = metric});
  if (has_trust(surrogate))
    table.columns.push_back({.header = "flagged", .notation = report::Notation::fixed, .digits = 2});
  for (const TestSet& set : sets) {
    const bool samples =
        std::find(o.projections.begin(), o.projections.end(), "low-rank") != o.projections.end();
    const Prediction prediction = predict(surrogate, set.data.inputs.view(), {samples, o.threads});
    report::RowGroup group;
    for (const std::string& projection : o.projections) {
      const Evaluation e =
          evaluate(surrogate, set.data, prediction, {projection_from_name(projection), o.slack, o.threads});
      report::Row row = {set.label, projection};
      for (const std::string& metric : o.metrics) {
        const bool there =
            std::any_of(e.metrics.begin(), e.metrics.end(), [&](const auto& m) { return m.first == metric; });
        row.push_back(there ? report::Cell(e.metric(metric)) : report::Cell("-"));
      }
      if (has_trust(surrogate)) row.emplace_back(e.flagged);
      group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
  }
  return table;
}

void run_evaluate(const EvaluateOptions& o, Output& output) {
  const Surrogate surrogate = load_model(o.model);
  const report::Table table = table_of(o, surrogate, test_sets(o, surrogate));
  const Json json = report::table_json(table);
  const std::string text = o.format == "markdown" ? report::table_markdown(table)
                           : o.format == "json"   ? json.dump(1) + "\n"
                                                  : report::table_text(table);
  if (!o.output.empty()) write_file_atomically(o.output, text);
  output.print("{}", text);
  output.result(json);
}

}  // namespace

Command evaluate_command() { return make_command(evaluate_table, run_evaluate); }

}  // namespace nouq::cli
