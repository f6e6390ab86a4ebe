// Choosing hyper-parameters as the paper does: every combination of a grid is fitted, the mean squared error
// on in-domain validation data decides, and of the diversity strengths the largest whose error is within 10 %
// of the best.
//
// Why the exception: by validation error alone the least diverse network always wins, and diversity is what
// pays out of domain. Contract: all trials' networks train in one pool (trainings.h), so they are parallel,
// resumable, and trained once when equal; every trial is reported, also the ones that diverged.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <nouq/settings.h>  // Trial

#include "uq/fit.h"

namespace nouq {

struct SelectionGrid {
  std::vector<Index> width = {32, 64};
  std::vector<double> rate = {1e-4, 1e-3, 1e-2};
  std::vector<double> dropout = {0.1, 0.25};                // of the method dropout
  std::vector<double> strength = {1e-2, 1e-1, 1, 10, 100};  // lambda, of the method diverse
  double tolerance = 0.1;              // how much worse than the best a stronger diversity may be
  std::vector<std::string> loss = {};  // labels (uq/method.h); none: that of the base
};

struct Selection {
  std::vector<Trial> trials;
  std::size_t chosen = 0;
  Surrogate surrogate;
};

// The trials of a method, in the order of the grid; values that the method does not use are left out.
std::vector<Trial> trials_of(const FitOptions& base, const SelectionGrid& grid);
FitOptions options_of(const FitOptions& base, const Trial& trial);

double validation_mse(const Surrogate& surrogate, const DataSet& validation, int threads);

// Throws when no trial has a finite error.
std::size_t choose(const std::vector<Trial>& trials, double tolerance);

// The trainings of all trials, in their order; for whoever runs those of several selections together.
std::vector<TrainerOptions> selection_trainings(const FitOptions& base, const SelectionGrid& grid,
                                                const DataSet& train);

// A selection that is ready to run. Made once; the data must outlive it, unchanged.
struct SelectionPlan {
  SelectionPlan(FitOptions given, SelectionGrid choices, const DataSet& train, const DataSet& validation);

  FitOptions base;
  SelectionGrid grid;
  FitData data;
  std::vector<Trial> trials;
  std::vector<TrainerOptions> trainings;  // of all trials, on `data`
};

// The surrogate of one of the trials, from the networks of all of them.
Surrogate surrogate_of(const SelectionPlan& plan, std::span<const TrainedNetwork> networks,
                       std::size_t trial);
// Why the networks of a trial are of no use; empty where they are.
std::string failure_of(const SelectionPlan& plan, std::span<const TrainedNetwork> networks,
                       std::size_t trial);
// The networks of all trials; nullopt as below.
std::optional<std::vector<TrainedNetwork>> train_trials(const SelectionPlan& plan, FitObserver* observer);

// What the process that leads has chosen, on every rank. For a part the work ends here (Released).
std::size_t choice_of_all(std::size_t own);

// nullopt: the observer asked to stop; with a folder in the plan's options, a later call goes on. Where ranks
// share the trials the others know the choice alone.
std::optional<Selection> select_surrogate(const SelectionPlan& plan, FitObserver* observer = nullptr);
// The choice alone, once the networks of the plan's trainings are there, in their order.
Selection finish_selection(const SelectionPlan& plan, std::span<const TrainedNetwork> networks);

}  // namespace nouq
