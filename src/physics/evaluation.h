// How good a surrogate is on a data set: metrics of the registry, before or after a projection, what is left
// of the bands' coverage, and what the trust score says.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nouq/evaluate.h>  // Evaluation

#include "physics/null_sigma.h"
#include "physics/projection_choice.h"
#include "uq/defaults.h"
#include "uq/trust.h"

namespace nouq {

// The noise variance of the training data is looked up in the surrogate ("law.noise"). All metrics that
// apply.
Evaluation evaluate(const Surrogate& surrogate, const DataSet& data, const ProjectionChoice& choice);
// The same for a prediction that is there already; of the metrics, only those named (none named: all). A
// metric that the data do not allow, such as an error relative to zero, is an Error only when it is asked
// for.
Evaluation evaluate(const Surrogate& surrogate, const DataSet& data, const Prediction& prediction,
                    const ProjectionChoice& choice, const std::vector<std::string>& metrics = {},
                    SigmaKind sigma = SigmaKind::model);

// What is computed from held-out samples once the networks are trained, and kept in the surrogate: the size
// of sigma, trust, bands, and what it knows about its projections (projection_calibration.h). Takes the
// surrogate's prediction for them, as its method gives it, and leaves it sized for whoever measures its
// quality; of the training data the noise variance alone, so that they need not be in memory any more.
void calibrate(const CalibrationOptions& options, const Array<double>& noise_variance,
               const DataSet& validation, Prediction& prediction, int threads, Surrogate& surrogate);

}  // namespace nouq
