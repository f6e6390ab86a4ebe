// Held-out predictions of training samples, where too few samples are held out to calibrate on.
//
// Why: the size of sigma, trust and bands need samples that the networks did not train on, trust 19 of them;
// of 30 runs 6 are held out. So the training samples are divided into folds, and a short fit without a fold
// predicts it. Short fits err more than the network that is kept, and spread otherwise. The validation
// samples, which both predict and neither trained on, say by how much: errors and variances of the held-out
// predictions are multiplied, per channel, by the geometric mean over validation samples of the ratio of the
// kept networks' squared error (variance) to the short fits'. What so few samples leave open about the ratio
// of errors, one standard error of its logarithm, is added to it; a single sample cannot make errors smaller.
//
// Contract: the folds are a pure function of number and seed; together the short fits pass over at most a
// third of the samples that the fit itself does. Samples of a fold whose fit diverged are left out.
#pragma once

#include <deque>
#include <vector>

#include <nouq/prediction.h>

#include "uq/fit.h"

namespace nouq {

constexpr Index enough_held_out = 19;  // for all that is calibrated: trust with one false alarm in twenty

// Whether so many held-out samples ask for it, and so many training samples allow it; folds = 0: never.
bool uses_cross_fitting(Index training, Index held_out, Index folds);

// The samples of each fold, ascending.
std::vector<std::vector<Index>> cross_folds(Index samples, Index folds, std::uint64_t seed);

// The options of the short fits.
FitOptions short_fit(FitOptions options, Index folds);

// What calibrations take: samples, and predictions of them by networks that did not train on them.
struct HeldOut {
  DataSet data;
  Prediction prediction;
};

class CrossFitting {
 public:
  // The data must outlive it, unchanged.
  CrossFitting(const FitOptions& options, const DataSet& train, const DataSet& validation, Index folds);

  [[nodiscard]] const FitOptions& options() const { return options_; }
  [[nodiscard]] std::vector<Training> trainings() const;  // of all folds, in their order
  // Training samples, then validation samples; `whole` is the surrogate that is kept, not sized.
  [[nodiscard]] HeldOut held_out(const Surrogate& whole, std::span<const TrainedNetwork> networks,
                                 bool with_samples) const;

 private:
  struct Fold {
    Fold(const FitOptions& options, const DataSet& train, const DataSet& validation, std::vector<Index> own);
    std::vector<Index> samples;
    DataSet rest;
    FitPlan plan;
  };

  FitOptions options_;
  const DataSet& train_;
  const DataSet& validation_;
  std::deque<Fold> folds_;
};

// nullopt: the observer asked to stop. Shared by ranks as in fit().
std::optional<HeldOut> cross_fit(const CrossFitting& plan, const Surrogate& whole, bool with_samples,
                                 FitObserver* observer);

// Brings predictions of short fits to the size they have with the networks that are kept. All are [n,
// axes..., channels]; `shorter` has predictions of the validation samples by each short fit.
struct Resized {
  std::vector<double> error;     // what squared errors are multiplied by, one per channel
  std::vector<double> variance;  // what variances are multiplied by
};
Resized resized(const Prediction& kept, const std::vector<Prediction>& shorter, const Array<double>& truth);

}  // namespace nouq
