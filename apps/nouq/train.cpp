// nouq train: a surrogate from a data file.
#include <chrono>

#include "commands.h"
#include "core/communicator.h"
#include "core/error.h"
#include "job.h"
#include "output.h"
#include "training.h"

namespace nouq::cli {
namespace {

struct TrainCommand {
  TrainingOptions training;
  std::filesystem::path output;
  bool resume = false;
  bool fresh = false;
  JobOptions job;
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
  add_job_options(table, options.job);
  table.collect_given(options.training.given);
  table.example("nouq train pme.h5 -o pme.nouq", "A DiverseNO with ten heads");
  table.example("nouq train pme.h5 --method ensemble --count 5 --epochs 500 -o pme5.nouq", "Five networks");
  table.example("mpirun -n 5 nouq train pme.h5 --method ensemble --count 5 -o pme5.nouq",
                "The same file from five processes, on one machine or several");
  table.example("nouq train more.h5 --from pme.nouq --rate 1e-4 --epochs 50 -o tuned.nouq", "Fine-tuning");
  return table;
}

void announce(const TrainPlan& plan, const std::string& grid, const Output& output) {
  output.say("{} training and {} validation samples on a {} grid; method {}, {} of width {}, {} epochs{}",
             plan.samples, plan.validation_samples, grid, plan.method, plan.architecture, plan.width,
             plan.epochs, plan.normalised ? "; channels normalised" : "");
}

void check_paths(const TrainCommand& options, const std::filesystem::path& folder) {
  require(!(options.resume && options.fresh), "--resume and --fresh exclude each other: give one");
  require_free_output("--output", options.output, input_files(options.training));
  const bool sees_run = ranks().rank() > 0 || std::filesystem::is_directory(folder);  // of rank 0
  require(!options.resume || sees_run,
          "--resume: no interrupted run of {} was found ({} does not exist); leave --resume out to start",
          options.output.string(), folder.string());
}

void run_train(const TrainCommand& options, Output& output) {
  check_paths(options, work_folder(options.output));
  start_together(options.job, output);
  const auto start = std::chrono::steady_clock::now();
  TrainingOptions training = options.training;
  TrainSettings& wanted = training.settings;
  if (!wanted.from.empty()) {
    wanted.from_model = std::make_shared<const Model>(Model::load(wanted.from));
    const std::string method = wanted.from_model->info().method;
    require(
        !training.given.names.contains("method") || wanted.method == method,
        "--method {}: {} is of the method {}, which fine-tuning keeps; leave --method out, or train a new model",
        wanted.method, wanted.from, method);
    wanted.method = method;
  }
  TrainingData data = load_training_data(training);
  const std::string grid = to_string(shape_of(data.train.grid));
  TrainingRun run(options.output, options.fresh, wanted, output,
                  [&](const TrainPlan& plan) { announce(plan, grid, output); });
  const Model model = run.run([&](const Progress& progress) {
    return data.validation ? train(std::move(data.train), *data.validation, wanted, progress)
                           : train(std::move(data.train), wanted, progress);
  });
  model.save(options.output.string());
  run.finish();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  print_summary(options.output, model, run.quality(), elapsed.count(), output);
  output.result(summary_json(options.output, model, run.quality()));
}

}  // namespace

Command train_command() { return make_command(train_table, run_train); }

}  // namespace nouq::cli
