// nouq train: a surrogate from a data file.
#include <chrono>
#include <optional>

#include "commands.h"
#include "core/error.h"
#include "fit_progress.h"
#include "model/model_file.h"
#include "output_path.h"
#include "physics/physics.h"
#include "train_summary.h"
#include "work_folder.h"

namespace nouq::cli {
namespace {

struct TrainCommand {
  TrainingOptions training;
  std::filesystem::path output;
  bool resume = false;
  bool fresh = false;
};

OptionTable train_table(TrainCommand& options) {
  OptionTable table(
      "train", "train a surrogate with uncertainty on a data file",
      "Checkpoints are kept beside the model while it trains (MODEL.training). An interrupted run goes "
      "on from there when the same command is given again, and gives the same file. The result does "
      "not depend on the number of threads.");
  add_training_options(table, options.training);
  table.group("Files");
  table.add("output", options.output, "the model file to write")
      .with_letter('o')
      .shown_as("MODEL")
      .as_required();
  table.add("resume", options.resume, "insist on going on with an interrupted run");
  table.add("fresh", options.fresh, "forget an interrupted run and start anew");
  table.collect_given(options.training.given);
  table.example("nouq train pme.h5 -o pme.nouq", "A DiverseNO with ten heads");
  table.example("nouq train pme.h5 --method ensemble --count 5 --epochs 500 -o pme5.nouq", "Five networks");
  table.example("nouq train more.h5 --from pme.nouq --rate 1e-4 --epochs 50 -o tuned.nouq", "Fine-tuning");
  return table;
}

void announce(const TrainingData& data, const FitOptions& fit, const Output& output) {
  output.say("{} training and {} validation samples on a {} grid; method {}, {} of width {}, {} epochs{}",
             data.train.size(), data.validation.size(), to_string(shape_of(data.train.grid)), fit.method.name,
             fit.train.network.architecture, fit.train.network.width, fit.train.epochs,
             fit.normalise ? "; channels normalised" : "");
}

void check_paths(const TrainCommand& options, const std::filesystem::path& folder) {
  require(!(options.resume && options.fresh), "--resume and --fresh exclude each other: give one");
  require_free_output("--output", options.output, input_files(options.training));
  require(!options.resume || std::filesystem::is_directory(folder),
          "--resume: no interrupted run of {} was found ({} does not exist); leave --resume out to start",
          options.output.string(), folder.string());
}

Surrogate fit_or_interrupt(const FitPlan& plan, const Output& output) {
  FitProgress progress(output.quiet());
  std::optional<Surrogate> surrogate = fit(plan, &progress);
  if (!surrogate)
    throw Interrupted(fmt::format("stopped; the checkpoints are in {}. The same command goes on from there",
                                  plan.options.folder.string()));
  return std::move(*surrogate);
}

void run_train(const TrainCommand& options, Output& output) {
  const std::filesystem::path folder = work_folder(options.output);
  check_paths(options, folder);
  const auto start = std::chrono::steady_clock::now();
  TrainingOptions training = options.training;
  std::optional<Surrogate> from;
  TrainSettings& wanted = training.settings;
  if (!wanted.from.empty()) wanted.method = from.emplace(load_model(wanted.from)).method;
  TrainingData data = load_training_data(training);
  FitOptions settings = fit_options(training, data, from ? &*from : nullptr);
  const CalibrationOptions calibration = calibration_of(wanted, data.validation.size());
  settings.folder = folder;
  std::optional<FitPlan> plan(std::in_place, settings, data.train, data.validation);
  const LockFile lock = prepare_work_folder(folder, options.fresh, plan->trainings, plan->data);
  announce(data, settings, output);
  tell_notes(training, settings, calibration, data.validation.size(), output);
  Surrogate surrogate = fit_or_interrupt(*plan, output);
  const Array<double> slack = law_slack(data.train);
  plan.reset();
  data.train = {};  // their memory is needed for predictions
  const Quality quality =
      finish_model(wanted, calibration, slack, data.validation, options.output, surrogate);
  remove_work_folder(folder);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  print_summary(options.output, surrogate, quality, elapsed.count(), output);
  output.result(summary_json(options.output, surrogate, quality));
}

}  // namespace

Command train_command() { return make_command(train_table, run_train); }

}  // namespace nouq::cli
