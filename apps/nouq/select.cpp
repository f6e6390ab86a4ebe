// nouq select: the best of many settings, by validation error.
#include <algorithm>
#include <chrono>

#include "commands.h"
#include "core/file.h"
#include "job.h"
#include "output.h"
#include "training.h"

namespace nouq::cli {
namespace {

struct SelectCommand {
  TrainingOptions training;
  SelectSettings grid;
  std::filesystem::path output;
  std::filesystem::path table;
  bool fresh = false;
  JobOptions job;
};

OptionTable select_table(SelectCommand& options) {
  OptionTable table(
      "select", "train with every combination of a grid and keep the best",
      "By validation error, or with --rule edge by how well samples at the edge of the data are predicted "
      "that the trials did not see. Of the diversity strengths, the largest whose validation error is within the tolerance of the "
      "best is kept: diversity costs a little in domain and pays outside. All trials are reported. "
      "Interrupted selections go on when the same command is given again.");
  add_training_options(table, options.training, Chosen::by_selection);
  describe(table, options.grid);
  table.group("Files");
  table.add("output", options.output, "the model file to write")
      .with_letter('o')
      .shown_as("MODEL")
      .as_required();
  table.add("table", options.table, "where to write all trials as JSON").shown_as("FILE");
  table.add("fresh", options.fresh, "forget an interrupted selection and start anew");
  add_job_options(table, options.job);
  table.collect_given(options.training.given);
  table.example("nouq select pme.h5 --widths 32 --rates 1e-3 -o pme.nouq",
                "Choose the strength of the diversity");
  table.example(
      "nouq select pme.h5 --widths 32 --rates 1e-3 --rule edge --losses relative_l2,crps -o pme.nouq",
      "Strength, loss and sizing for inputs beyond the data");
  return table;
}

Json trial_json(const Trial& trial, bool chosen) {
  Json json = {{"width", trial.width},       {"rate", trial.rate},        {"dropout", trial.dropout},
               {"strength", trial.strength}, {"validation_mse", nullptr}, {"chosen", chosen}};
  if (!trial.loss.empty()) json["loss"] = trial.loss;
  if (!trial.sizing.empty()) {
    json["edge_crps"] = trial.edge_crps;
    json["sizing"] = trial.sizing;
  }
  if (trial.error.empty()) {
    json["validation_mse"] = trial.validation_mse;
  } else {
    json["error"] = trial.error;
  }
  return json;
}

// Columns that no trial has anything for are left out.
void print_trials(const Selected& selection, const Output& output) {
  const auto any = [&](const auto& has) {
    return std::any_of(selection.trials.begin(), selection.trials.end(), has);
  };
  const bool losses = any([](const Trial& trial) { return !trial.loss.empty(); });
  const bool edge = any([](const Trial& trial) { return !trial.sizing.empty(); });
  output.print("{:>6} {:>9} {:>8} {:>9}{}{} {:>15}\n", "width", "rate", "dropout", "strength",
               losses ? fmt::format(" {:>19}", "loss") : "",
               edge ? fmt::format(" {:>12} {:>6}", "edge CRPS", "sizing") : "", "validation MSE");
  for (std::size_t t = 0; t < selection.trials.size(); ++t) {
    const Trial& trial = selection.trials[t];
    output.print("{:>6} {:>9} {:>8} {:>9}{}{} {:>15}{}\n", trial.width, trial.rate, trial.dropout,
                 trial.strength, losses ? fmt::format(" {:>19}", trial.loss) : "",
                 edge ? fmt::format(" {:>12.4e} {:>6}", trial.edge_crps, trial.sizing) : "",
                 trial.error.empty() ? fmt::format("{:.4e}", trial.validation_mse) : "diverged",
                 t == selection.chosen ? "  <- chosen" : "");
  }
}

void check_paths(const SelectCommand& options) {
  for (const auto& [name, path] :
       {std::pair{"--output", options.output}, std::pair{"--table", options.table}})
    require_free_output(name, path, input_files(options.training));
  require_two_files("--output", options.output, "--table", options.table);
  require_folder("--table", options.table);
}

Json trials_json(const Selected& selection) {
  Json trials = Json::array();
  for (std::size_t t = 0; t < selection.trials.size(); ++t)
    trials.push_back(trial_json(selection.trials[t], t == selection.chosen));
  return trials;
}

void run_select(const SelectCommand& options, Output& output) {
  check_paths(options);
  start_together(options.job, output);
  const auto start = std::chrono::steady_clock::now();
  TrainingData data = load_training_data(options.training);
  TrainSettings wanted = options.training.settings;
  TrainingRun run(options.output, options.fresh, wanted, output, [&](const TrainPlan& plan) {
    output.say("{} trials of method {} on {} training and {} validation samples", plan.trials, plan.method,
               plan.samples, plan.validation_samples);
  });
  const Selected selected = run.run([&](const Progress& progress) {
    return data.validation
               ? select_model(std::move(data.train), *data.validation, wanted, options.grid, progress)
               : select_model(std::move(data.train), wanted, options.grid, progress);
  });
  const Json trials = trials_json(selected);
  if (!options.table.empty()) write_file_atomically(options.table, trials.dump(1) + "\n");
  selected.model.save(options.output.string());
  run.finish();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  print_trials(selected, output);
  print_summary(options.output, selected.model, run.quality(), elapsed.count(), output);
  Json result = summary_json(options.output, selected.model, run.quality());
  result["trials"] = trials;
  output.result(result);
}

}  // namespace

Command select_command() { return make_command(select_table, run_select); }

}  // namespace nouq::cli
