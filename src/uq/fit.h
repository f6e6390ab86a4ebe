// From data to a surrogate: the networks of a method trained, the method finished, everything a prediction
// needs gathered in one place.
//
// Contract: the surrogate is a function of (options, data) alone; not of threads, nor of interruptions.
#pragma once

#include <filesystem>
#include <optional>

#include "uq/method.h"
#include "uq/trainings.h"

namespace nouq {

struct FitOptions {
  MethodOptions method;
  TrainOptions train;      // of every network; the method sets its outputs, head and loss
  bool normalise = false;  // inputs and outputs to mean 0 and deviation 1; the paper does not
  int threads = 0;         // 0: all cores
  // A surrogate to go on from: its networks, normalisation and method are kept; must outlive the fit.
  const Surrogate* from = nullptr;
  std::filesystem::path folder;  // of checkpoints; none are kept when empty
  Index checkpoint_period = 1;   // epochs
};

// Training, validation and unlabelled data as the networks see them: normalised copies, or the data
// themselves.
class FitData {
 public:
  FitData(const FitOptions& options, const DataSet& train, const DataSet& validation);
  [[nodiscard]] const DataSet& train() const { return copies_ ? copies_->first : train_; }
  [[nodiscard]] const DataSet& validation() const { return copies_ ? copies_->second : validation_; }
  // The trainings with the unlabelled inputs as the networks see them; not to outlive this.
  [[nodiscard]] std::vector<TrainOptions> adapted(std::vector<TrainOptions> trainings) const;

 private:
  const DataSet& train_;
  const DataSet& validation_;
  std::optional<std::pair<DataSet, DataSet>> copies_;
  Array<float> unlabelled_;  // the normalised copy, when there is one
};

// The trainings a fit consists of; for whoever runs several fits' trainings together.
std::vector<TrainOptions> fit_trainings(const FitOptions& options, const DataSet& train);

// The surrogate from its trained networks, in the order of fit_trainings().
Surrogate assemble(const FitOptions& options, const DataSet& train, const DataSet& validation,
                   const std::vector<TrainedNetwork>& networks);

// Both. nullopt: the observer asked to stop; the checkpoints in `folder` let a later call go on.
std::optional<Surrogate> fit(const FitOptions& options, const DataSet& train, const DataSet& validation,
                             FitObserver* observer = nullptr);

}  // namespace nouq
