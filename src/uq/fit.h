// From data to a surrogate: the networks of a method trained, the method finished, everything a prediction
// needs gathered in one place.
//
// Contract: the surrogate is a function of (options, data) alone; not of threads, nor of interruptions.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "uq/method.h"
#include "uq/trainings.h"

namespace nouq {

struct FitOptions {
  MethodOptions method;
  TrainerOptions train;    // of every network; the method sets its outputs, head and loss
  bool normalise = false;  // inputs and outputs to mean 0 and deviation 1; the paper does not
  int threads = 0;         // 0: all cores
  // A surrogate to go on from: its networks, normalisation and method are kept; must outlive the fit.
  const Surrogate* from = nullptr;
  std::filesystem::path folder;  // of checkpoints; none are kept when empty
  Index checkpoint_period = 1;   // epochs
  bool any_processor = false;    // as in TrainerOptions
};

// How the networks of a fit are trained: its threads, checkpoints and ranks.
TrainingsOptions trainings_options(const FitOptions& options);

// Training, validation and unlabelled data as the networks see them, on even points (uq/network_grid.h), and
// what a surrogate keeps of them.
//
// Why: looking through all data (checking, scaling, hashing) is done here, once for all networks. The data
// must outlive it, unchanged.
class FitData {
 public:
  FitData(const FitOptions& options, const DataSet& train, const DataSet& validation);
  [[nodiscard]] const ScaledData& train() const { return train_; }
  [[nodiscard]] const ScaledData& validation() const { return validation_; }
  // A surrogate of the method in the options, without networks.
  [[nodiscard]] const Surrogate& description() const { return description_; }
  // The trainings with the unlabelled inputs as the networks see them; not to outlive this.
  [[nodiscard]] std::vector<TrainerOptions> adapted(std::vector<TrainerOptions> trainings) const;

 private:
  Surrogate description_;
  std::shared_ptr<const DataSet> even_train_, even_validation_;  // where the grid is uneven
  ScaledData train_, validation_;
  std::shared_ptr<const Array<float>> unlabelled_;  // the copy as the networks see it, when there is one
};

// The trainings a fit consists of; for whoever runs several fits' trainings together.
std::vector<TrainerOptions> fit_trainings(const FitOptions& options, const DataSet& train);

// A fit that is ready to run. Made once; the data must outlive it, unchanged.
struct FitPlan {
  FitPlan(FitOptions given, const DataSet& train, const DataSet& validation);

  FitOptions options;
  FitData data;
  std::vector<TrainerOptions> trainings;  // of its networks, on `data`
};

// nullopt: the observer asked to stop; the checkpoints in `folder` let a later call go on. With a folder the
// networks are shared by the ranks of the job; only the process that leads has a surrogate then, the others
// an empty one.
std::optional<Surrogate> fit(const FitPlan& plan, FitObserver* observer = nullptr);
std::optional<Surrogate> fit(const FitOptions& options, const DataSet& train, const DataSet& validation,
                             FitObserver* observer = nullptr);

// The surrogate from its trained networks, in the order of fit_trainings(), one of which is `training`.
Surrogate assemble(const FitOptions& options, const FitData& data, const TrainerOptions& training,
                   std::span<const TrainedNetwork> networks);

}  // namespace nouq
