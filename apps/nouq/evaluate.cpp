// nouq evaluate: the metrics of a model, in domain and shifted, with and without projection.
#include <algorithm>
#include <optional>

#include <nouq/metrics.h>

#include "commands.h"
#include "core/error.h"
#include "core/file.h"
#include "evaluation_table.h"
#include "output.h"
#include "question.h"
#include "rollout_table.h"
#include "sample_table.h"

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
  std::optional<double> noise_variance;
  std::string sizing;
  bool nulls = false;
  std::vector<std::string> metrics = {"mse",   "relative_l2", "nll",      "nmerci",
                                      "rmsce", "crps",        "coverage", "conservation_error"};
  std::string format = "text";
  std::filesystem::path output;
  std::filesystem::path per_sample;
  int threads = 0;
  GivenOptions given;
};

OptionTable evaluate_table(EvaluateOptions& o) {
  OptionTable table(
      "evaluate", "measure a model on data files, or on a built-in problem in domain and shifted",
      "Without --data, test samples are drawn from the built-in problem that the training data came "
      "from: its training range and the three shifts, with a seed of their own. A model with several output "
      "channels has a row for all of them together and one for each. With several sets, 'trust AUROC' says how "
      "well the trust score tells each from the first: 1 perfectly, 0.5 not at all.");
  table.add("model", o.model, "the model file").as_positional().as_required();
  table.group("On what");
  table.add("data", o.data, "data files to measure on").shown_as("FILE");
  table.add("problem", o.problem, "built-in problem to draw test samples from, instead of the model's own")
      .one_of(problem_names());
  table.add("shift", o.shifts, "which ranges of the problem; all by default").one_of(shift_names());
  table.add("samples", o.samples, "samples to draw from each range").with_letter('n').between(1, 1e7);
  table.add("seed", o.seed, "of the drawn samples; not that of the training data");
  table.group("How");
  table.add("conserve", o.projections, "projections to compare").one_of(projection_names());
  table
      .add("noise-variance", o.noise_variance,
           "variance with which the law is enforced, instead of each projection's own")
      .at_least(0);
  add_sizing_option(table, o.sizing);
  table
      .add("nulls", o.nulls,
           "also with a sigma that looks at no prediction: constant, and by the distance of the parameter")
      .about(
          "What the model's sigma must beat: the root mean square of held-out errors, the same everywhere; and that "
          "times the distance of a sample's parameter from the middle of the training range, in halves of the "
          "range, where that is above 1. The baselines of the bounded projection are projections of their own: clip, "
          "diagonal-clip and law.");
  table.add("metrics", o.metrics, "which to show; 'nouq metrics' describes them").one_of(metric_names());
  table.add("format", o.format, "of the table; json is a list of its rows")
      .one_of({"text", "markdown", "json"});
  table.add("output", o.output, "also write the table to this file").with_letter('o').shown_as("FILE");
  table
      .add("per-sample", o.per_sample,
           "also write a table with a row for each sample, its errors and trust: NAME.csv, .json or .md")
      .shown_as("FILE");
  table.add("threads", o.threads, "0 for all cores").at_least(0);
  table.collect_given(o.given);
  table.example("nouq evaluate pme.nouq --conserve none,diagonal,bounded", "In domain and at three shifts");
  table.example("nouq evaluate mine.nouq --data test.h5 --format markdown", "On a file, as Markdown");
  return table;
}

// The model's own with the options it was made with, or the one asked for.
std::unique_ptr<Problem> problem_to_draw(const EvaluateOptions& o, const Model& model) {
  auto own = problem_of(model.provenance());
  require(own || !o.problem.empty(),
          "{}: its training data came from no built-in problem; give --data FILE or --problem NAME",
          o.model.string());
  return own && (o.problem.empty() || o.problem == own->name()) ? std::move(own) : make_problem(o.problem);
}

std::vector<TestSet> test_sets(const EvaluateOptions& o, const Model& model) {
  std::vector<TestSet> sets;
  for (const auto& path : o.data) sets.push_back({path.filename().string(), read(path.string())});
  if (!sets.empty()) return sets;
  sets = shifted_sets(model, *problem_to_draw(o, model), o.samples, o.seed, o.threads);
  if (o.shifts.empty()) return sets;
  std::erase_if(sets, [&](const TestSet& set) {
    return std::find(o.shifts.begin(), o.shifts.end(), set.label) == o.shifts.end();
  });
  return sets;
}

void check_options(const EvaluateOptions& o, const Output& output) {
  std::vector<std::filesystem::path> inputs = o.data;
  inputs.push_back(o.model);
  require_free_output("--output", o.output, inputs);
  require_folder("--output", o.output);
  require_free_output("--per-sample", o.per_sample, inputs);
  require_two_files("--output", o.output, "--per-sample", o.per_sample);
  require_folder("--per-sample", o.per_sample);
  const std::filesystem::path ending = o.per_sample.extension();
  require(o.per_sample.empty() || ending == ".csv" || ending == ".json" || ending == ".md",
          "--per-sample {}: expected a name that ends in .csv, .json or .md", o.per_sample.string());
  if (o.data.empty()) return;
  for (const auto& [name, given] :
       {std::pair{"--shift", !o.shifts.empty()}, std::pair{"--problem", !o.problem.empty()}})
    require(!given, "{} is about a built-in problem, --data about files: give one", name);
  for (const char* name : {"samples", "seed"}) {
    if (o.given.changed.contains(name))
      output.say("note: --{} does nothing with --data: all samples of the files are taken", name);
  }
}

void write_samples(const EvaluateOptions& o, const Model& model, const std::vector<TestSet>& sets) {
  const plot::Table table = sample_table(model, sets, o.threads);
  write_file_atomically(o.per_sample, o.per_sample.extension() == ".csv"    ? csv_of(table)
                                      : o.per_sample.extension() == ".json" ? records(table).dump(1) + "\n"
                                                                            : plot::table_markdown(table));
}

void write_table(const EvaluateOptions& o, const plot::Table& table, Output& output) {
  const Json json = records(table);
  const std::string text = o.format == "markdown" ? plot::table_markdown(table)
                           : o.format == "json"   ? json.dump(1) + "\n"
                                                  : plot::table_text(table);
  if (!o.output.empty()) write_file_atomically(o.output, text);
  output.print("{}", text);
  output.result(json);
}

// A model of a time step, and trajectories.
bool rolls_out(const Model& model, const std::vector<TestSet>& sets) {
  return model.info().rollout && std::all_of(sets.begin(), sets.end(), [&](const TestSet& set) {
           return set.data.grid.back().name == "t" &&
                  (model.grid().back().name != "t" ||
                   set.data.grid.back().size() > model.grid().back().size());
         });
}

void require_roll_out_options(const EvaluateOptions& o) {
  const auto& given = o.given.names;
  for (const char* name : {"per-sample", "nulls", "metrics", "sizing"}) {
    require(
        !given.contains(name),
        "--{}: these data are trajectories, on which a model of a time step is rolled out; the table of a "
        "roll-out has its own columns",
        name);
  }
}

void run_evaluate(const EvaluateOptions& o, Output& output) {
  check_options(o, output);
  const Model model = load_sized(o.model, o.sizing);
  const std::vector<TestSet> sets = test_sets(o, model);
  const EvaluationChoice choice{
      o.projections, o.metrics, o.noise_variance, o.threads, o.given.changed.contains("metrics"), o.nulls};
  if (rolls_out(model, sets)) {
    require_roll_out_options(o);
    return write_table(o, rollout_table(model, sets, choice), output);
  }
  for (const TestSet& set : sets) {
    const std::string note = lumped_channels(set.data);
    if (!note.empty()) output.say("note: {}: {}", set.label, note);
  }
  if (!o.per_sample.empty()) write_samples(o, model, sets);
  write_table(o, evaluation_table(model, sets, choice), output);
}

}  // namespace

Command evaluate_command() { return make_command(evaluate_table, run_evaluate); }

}  // namespace nouq::cli
