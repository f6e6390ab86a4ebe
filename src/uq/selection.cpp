#include "uq/selection.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "uq/method.h"
#include "uq/predictor.h"

namespace nouq {
namespace {

std::string first_reason(const std::vector<Trial>& trials) {
  for (const Trial& trial : trials) {
    if (!trial.error.empty()) return "; the first: " + trial.error;
  }
  return "";
}

void validate_grid(const SelectionGrid& grid) {
  require(!grid.width.empty() && !grid.rate.empty() && !grid.dropout.empty() && !grid.strength.empty(),
          "selection: an empty list in the grid; expected at least one value of each");
  require(grid.tolerance >= 0.0, "selection: tolerance = {}, expected 0 or more", grid.tolerance);
}

}  // namespace

double validation_mse(const Surrogate& surrogate, const DataSet& validation, int threads) {
  const Prediction prediction = predict(surrogate, validation.inputs.view(), {false, threads});
  const std::vector<double> unit = channel_units(validation.outputs);
  double sum = 0;
  for (Index i = 0; i < prediction.mean.size(); ++i) {
    const double error = (prediction.mean[i] - static_cast<double>(validation.outputs[i])) /
                         unit[static_cast<std::size_t>(i) % unit.size()];
    sum += error * error;
  }
  return sum / static_cast<double>(prediction.mean.size());
}

std::vector<Trial> trials_of(const FitOptions& base, const SelectionGrid& grid) {
  validate_grid(grid);
  const std::vector<double> none = {0.0};
  const std::vector<std::string> own = {""};
  const auto& losses = grid.loss.empty() ? own : grid.loss;
  const auto& dropouts = base.method.name == "dropout" ? grid.dropout : none;
  const auto& strengths = base.method.name == "diverse" ? grid.strength : none;
  std::vector<Trial> trials;
  for (const Index width : grid.width) {
    for (const double rate : grid.rate) {
      for (const double dropout : dropouts) {
        for (const double strength : strengths) {
          for (const std::string& loss : losses)
            trials.push_back(
                {.width = width, .rate = rate, .dropout = dropout, .strength = strength, .loss = loss});
        }
      }
    }
  }
  return trials;
}

FitOptions options_of(const FitOptions& base, const Trial& trial) {
  FitOptions options = base;
  options.train.network.width = trial.width;
  options.train.schedule.base_rate = trial.rate;
  if (base.method.name == "dropout") options.method.set("dropout", trial.dropout);
  if (base.method.name == "diverse") options.method.set("strength", trial.strength);
  if (!trial.loss.empty()) options.train.loss.kind = loss_of(find_method(base.method.name), trial.loss);
  return options;
}

std::size_t choose(const std::vector<Trial>& trials, double tolerance) {
  // Not a number is larger than any.
  const auto smaller = [](const Trial& a, const Trial& b) {
    return std::isnan(b.validation_mse) ? !std::isnan(a.validation_mse) : a.validation_mse < b.validation_mse;
  };
  const auto best = std::min_element(trials.begin(), trials.end(), smaller);
  require(best != trials.end() && std::isfinite(best->validation_mse),
          "selection: none of {} trials succeeded{}", trials.size(), first_reason(trials));
  auto chosen = best;
  for (auto trial = trials.begin(); trial != trials.end(); ++trial) {
    if (!(trial->validation_mse <= (1.0 + tolerance) * best->validation_mse)) continue;
    const bool stronger = trial->strength > chosen->strength;
    if (stronger || (trial->strength == chosen->strength && smaller(*trial, *chosen))) chosen = trial;
  }
  return static_cast<std::size_t>(chosen - trials.begin());
}

std::vector<TrainerOptions> selection_trainings(const FitOptions& base, const SelectionGrid& grid,
                                                const DataSet& train) {
  std::vector<TrainerOptions> wanted;
  for (const Trial& trial : trials_of(base, grid)) {
    for (TrainerOptions& training : fit_trainings(options_of(base, trial), train))
      wanted.push_back(std::move(training));
  }
  return wanted;
}

SelectionPlan::SelectionPlan(FitOptions given, SelectionGrid choices, const DataSet& train,
                             const DataSet& validation)
    : base(std::move(given)),
      grid(std::move(choices)),
      data(base, train, validation),
      trials(trials_of(base, grid)),
      trainings(data.adapted(selection_trainings(base, grid, train))) {}

Surrogate surrogate_of(const SelectionPlan& plan, std::span<const TrainedNetwork> networks,
                       std::size_t trial) {
  const std::size_t each = networks.size() / plan.trials.size();
  return assemble(options_of(plan.base, plan.trials[trial]), plan.data, plan.trainings[trial * each],
                  networks.subspan(trial * each, each));
}

std::string failure_of(const SelectionPlan& plan, std::span<const TrainedNetwork> networks,
                       std::size_t trial) {
  const std::size_t each = networks.size() / plan.trials.size();
  std::string failure;
  for (const TrainedNetwork& network : networks.subspan(trial * each, each)) {
    if (!network.error.empty()) failure = network.error;
  }
  return failure;
}

Selection finish_selection(const SelectionPlan& plan, std::span<const TrainedNetwork> networks) {
  Selection selection;
  selection.trials = plan.trials;
  const DataSet& validation = plan.data.validation().data();
  for (std::size_t t = 0; t < selection.trials.size(); ++t) {
    Trial& trial = selection.trials[t];
    trial.error = failure_of(plan, networks, t);
    if (trial.error.empty())
      trial.validation_mse = validation_mse(surrogate_of(plan, networks, t), validation, plan.base.threads);
  }
  selection.chosen = choose(selection.trials, plan.grid.tolerance);
  selection.surrogate = surrogate_of(plan, networks, selection.chosen);
  return selection;
}

std::optional<std::vector<TrainedNetwork>> train_trials(const SelectionPlan& plan, FitObserver* observer) {
  TrainingsOptions options = trainings_options(plan.base);
  options.tolerate_divergence = true;
  return run_trainings(plan.trainings, plan.data.train(), plan.data.validation(), options, observer);
}

std::size_t choice_of_all(std::size_t own) {
  if (ranks().part().count > 1) release_others(ranks());  // nobody knows it before all parts are there
  return std::stoull(agreed(ranks(), std::to_string(own)));
}

std::optional<Selection> select_surrogate(const SelectionPlan& plan, FitObserver* observer) {
  const auto networks = train_trials(plan, observer);
  if (!networks) return std::nullopt;
  Selection selection;
  if (leads(ranks())) selection = finish_selection(plan, *networks);
  selection.chosen = choice_of_all(selection.chosen);
  return selection;
}

}  // namespace nouq
