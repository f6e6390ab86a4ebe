// nouq demo: trains a small Fourier neural operator on one problem and shows how its error grows away from
// the training data.
#include <string>

#include "commands.h"
#include "core/threads.h"
#include "data/generate.h"
#include "data/split.h"
#include "metrics/metric.h"
#include "progress.h"
#include "train/trainer.h"

namespace nouq::cli {
namespace {

struct DemoOptions {
  std::string problem = "pme";
  Index samples = 400;
  Index epochs = 60;
  std::uint64_t seed = 0;
  int threads = 0;
};

DataSet draw(const Problem& problem, Shift shift, Index count, std::uint64_t seed) {
  return generate_data_set(problem, {count, seed, problem.range(shift), {}, 0});
}

TrainOptions train_options(const DemoOptions& demo, const DataSet& data) {
  TrainOptions options;
  options.epochs = demo.epochs;
  options.seed = demo.seed;
  options.threads = demo.threads;
  // A short run wants another schedule than the paper's 500 epochs.
  options.schedule = {.kind = ScheduleKind::one_cycle, .base_rate = 3e-3};
  options.network.modes.assign(data.grid.size(), 12);
  options.network.padding.assign(data.grid.size(), Padding{});
  return options;
}

// Mean squared error of the prediction over all samples and points.
double mean_squared_error(const TrainOptions& options, const Trainer& trainer, const DataSet& data) {
  Network<float> network(options.network, shape_of(data.grid), options.threads);
  Array<float> prediction(data.outputs.shape());
  const Index batch = options.batch;
  const Index input_size = data.inputs.row(0).size();
  const Index output_size = data.outputs.row(0).size();
  for (Index first = 0; first < data.size(); first += batch) {
    network.predict(trainer.best_weights().data(), data.inputs.data() + first * input_size,
                    std::min(batch, data.size() - first), prediction.data() + first * output_size);
  }
  const auto widened = [](const Array<float>& field) {
    return Array<double>(field.shape(), std::vector<double>(field.begin(), field.end()));
  };
  const Array<double> mean = widened(prediction), truth = widened(data.outputs);
  return metrics::mse({mean.view(), {}, truth.view(), {}}).value;
}

void show_setup(const Problem& problem, const DataSet& train, const DataSet& validation,
                const Output& output) {
  const auto& about = problem.description();
  const auto range = problem.range(Shift::in_domain);
  output.print("problem    {}: {}\n", about.name, about.equation);
  output.print("data       {} training and {} validation fields on a {} grid, {} in [{}, {}]\n", train.size(),
               validation.size(), to_string(shape_of(train.grid)), about.parameter.symbol, range.low,
               range.high);
}

Json show_errors(const DemoOptions& demo, const Problem& problem, const TrainOptions& options,
                 const Trainer& trainer, const Output& output) {
  Json errors;
  output.print("How wrong is it? Mean squared error on 100 new fields each:\n");
  for (const Shift shift : all_shifts) {
    const auto range = problem.range(shift);
    const double error = mean_squared_error(options, trainer, draw(problem, shift, 100, demo.seed + 1));
    output.print("  {:<10} {} in [{}, {}]  {:12.2e}\n", to_string(shift),
                 problem.description().parameter.symbol, range.low, range.high, error);
    errors[to_string(shift)] = error;
  }
  output.print(
      "\nOutside its training range the network is wrong and does not say so: that is what nouq is for.\n");
  return errors;
}

void train_with_progress(const DemoOptions& demo, Trainer& trainer, const Output& output) {
  Progress progress({.epochs = demo.epochs, .quiet = output.quiet()});
  if (trainer.train(&progress.network(0)) == TrainEnd::stopped)
    throw Interrupted("stopped; nothing is kept of a demo");
}

void run_demo(const DemoOptions& demo, Output& output) {
  const auto problem = make_problem(demo.problem);
  const DataSet data = draw(*problem, Shift::in_domain, demo.samples, demo.seed);
  const Index held_out = demo.samples / 5;
  const Split parts = split(demo.samples, {demo.samples - held_out, held_out, 0}, demo.seed);
  const DataSet train = select(data, parts.train);
  const DataSet validation = select(data, parts.validation);
  const TrainOptions options = train_options(demo, data);
  show_setup(*problem, train, validation, output);
  Trainer trainer(options, train, validation);
  output.print("network    Fourier neural operator, {} weights; {} epochs on {} threads\n",
               trainer.network().layout().size(), demo.epochs, resolve_threads(demo.threads));
  train_with_progress(demo, trainer, output);
  const double best = trainer.history()[static_cast<std::size_t>(trainer.best_epoch())].validation_loss;
  output.print("trained    relative error on validation data {:.2e} (epoch {})\n\n", best,
               trainer.best_epoch() + 1);
  const Json errors = show_errors(demo, *problem, options, trainer, output);
  output.result({{"problem", demo.problem}, {"validation_loss", best}, {"mean_squared_error", errors}});
}

OptionTable demo_table(DemoOptions& options) {
  OptionTable table("demo", "train a small surrogate on one problem and show its error (a minute)");
  table.add("problem", options.problem, "which one; 'nouq problems' lists them").one_of(problem_names());
  table.add("samples", options.samples, "fields to train and validate on").with_letter('n').at_least(10);
  table.add("epochs", options.epochs, "passes over the data").at_least(1);
  table.add("seed", options.seed, "of data and training");
  table.add("threads", options.threads, "0 for all cores").at_least(0);
  return table;
}

}  // namespace

Command demo_command() { return make_command(demo_table, run_demo); }

}  // namespace nouq::cli
