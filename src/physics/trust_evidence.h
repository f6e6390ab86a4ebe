// The witnesses of trust for samples whose law and parameters may be known: what uq/trust.h hears, and the
// violation of conservation laws besides.
//
// A law's witness is the root of its summed squared residuals, r = g.mu - b over its rows, in units of their
// root mean square over held-out samples; of several laws the one that is violated most speaks. It is heard
// only where the data have values of the law, at as many places as when it was calibrated.
// Contract: predictions are those of the surrogate as they came from the networks, sized by data at most; the
// unit is kept per law as "trust.law.<name>" [unit, rows]. Data need no solutions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "physics/physics.h"
#include "uq/predictor.h"
#include "uq/trust.h"

namespace nouq {

// The laws of one call that can be heard, with their units.
class LawWitness {
 public:
  LawWitness() = default;  // of nothing
  // Values are of `samples` samples, or the same for all.
  LawWitness(const Surrogate& surrogate, const DataSet& question, Index samples);
  // Of one sample's mean; silent without a law. `worst` is the place of the law among names().
  [[nodiscard]] double violation(Index sample, const double* mean, std::size_t& worst) const;
  [[nodiscard]] const std::string& name(std::size_t place) const { return names_[place]; }
  [[nodiscard]] bool heard() const { return !names_.empty(); }

 private:
  std::vector<std::string> names_;
  std::vector<LinearConstraints> rows_;
  std::vector<double> unit_;
};

// Of held-out samples, with the surrogate's prediction for them. `level` 0: no trust.
void calibrate_trust(const TrustOptions& options, const DataSet& held_out, const Prediction& prediction,
                     Surrogate& surrogate);

std::vector<Trust> trust(const Surrogate& surrogate, const DataSet& question, const Prediction& prediction);

}  // namespace nouq
