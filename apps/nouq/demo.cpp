// nouq demo: trains a small Fourier neural operator on one problem and shows how its error grows away from
// the training data.
#include <cstdio>
#include <memory>
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

void run_demo(const DemoOptions& demo) {
  require(demo.samples >= 10, "--samples = {}: expected at least 10", demo.samples);
  const auto problem = make_problem(demo.problem);
  const auto& about = problem->description();
  const int threads = resolve_threads(demo.threads);
  std::printf("problem    %s: %s\n", about.name.c_str(), about.equation.c_str());
  const DataSet data = draw(*problem, Shift::in_domain, demo.samples, demo.seed);
  const Index held_out = demo.samples / 5;
  const Split parts = split(demo.samples, {demo.samples - held_out, held_out, 0}, demo.seed);
  const DataSet train = select(data, parts.train);
  const DataSet validation = select(data, parts.validation);
  const TrainOptions options = train_options(demo, data);
  std::printf("data       %ld training and %ld validation fields on a %s grid, %s in [%g, %g]\n",
              static_cast<long>(train.size()), static_cast<long>(validation.size()),
              to_string(shape_of(data.grid)).c_str(), about.parameter.symbol.c_str(),
              problem->range(Shift::in_domain).low, problem->range(Shift::in_domain).high);
  Trainer trainer(options, train, validation);
  std::printf("network    Fourier neural operator, %ld weights; %ld epochs on %d threads\n",
              static_cast<long>(trainer.network().layout().size()), static_cast<long>(demo.epochs), threads);
  std::fflush(stdout);
  TrainEnd end = TrainEnd::finished;
  {
    Progress progress(demo.epochs);
    end = trainer.train(&progress);
  }
  if (end == TrainEnd::stopped) {
    std::printf("stopped; nothing is kept of a demo\n");
    return;
  }
  const double best = trainer.history()[static_cast<std::size_t>(trainer.best_epoch())].validation_loss;
  std::printf("trained    relative error on validation data %.2e (epoch %ld)\n\n", best,
              static_cast<long>(trainer.best_epoch() + 1));
  std::printf("How wrong is it? Mean squared error on 100 new fields each:\n");
  for (const Shift shift : all_shifts) {
    const auto range = problem->range(shift);
    const DataSet test = draw(*problem, shift, 100, demo.seed + 1);
    std::printf("  %-10s %s in [%g, %g]  %12.2e\n", to_string(shift).c_str(), about.parameter.symbol.c_str(),
                range.low, range.high, mean_squared_error(options, trainer, test));
  }
  std::printf(
      "\nOutside its training range the network is wrong and does not say so: that is what nouq is for.\n");
}

}  // namespace

void add_demo(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command =
      app.add_subcommand("demo", "train a small surrogate on one problem and show its error (a minute)");
  command->add_option("--problem", options->problem, "which one; 'nouq problems' lists them")
      ->capture_default_str();
  command->add_option("--samples", options->samples, "fields to train and validate on")
      ->capture_default_str();
  command->add_option("--epochs", options->epochs, "passes over the data")->capture_default_str();
  command->add_option("--seed", options->seed, "of data and training")->capture_default_str();
  command->add_option("--threads", options->threads, "0 for all cores")->capture_default_str();
  command->callback([options] { run_demo(*options); });
}

}  // namespace nouq::cli
