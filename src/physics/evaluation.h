// How good a surrogate is on a data set: metrics of the registry, before or after a projection, what is left
// of the bands' coverage, and what the trust score says.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nouq/evaluate.h>  // Evaluation

#include "physics/projection_choice.h"
#include "uq/defaults.h"
#include "uq/trust.h"

namespace nouq {

// The slack of the training data is looked up in the surrogate ("law.slack"). All metrics that apply.
Evaluation evaluate(const Surrogate& surrogate, const DataSet& data, const ProjectionChoice& choice);
// The same for a prediction that is there already; of the metrics, only those named (none named: all). A
// metric that the data do not allow, such as an error relative to zero, is an Error only when it is asked
// for.
Evaluation evaluate(const Surrogate& surrogate, const DataSet& data, const Prediction& prediction,
                    const ProjectionChoice& choice, const std::vector<std::string>& metrics = {});

// How strictly the bounded projection is to enforce the law: the training data's `slack` (law_slack) times a
// hundredth to a hundred, whatever brings the predictions of the validation data nearest to them; of those
// within 2 % of the best the strictest. Why not the training data's slack itself: a surrogate that is more
// accurate than the quadrature is better left alone; and where quadrature errors come from fronts between
// grid points, a stricter law also corrects the front. Why the strictest: in domain it hardly matters, far
// from it a strict law does most. `slack` itself where the validation data have no law at the same number of
// times; empty when it is.
Array<double> chosen_slack(const Array<double>& slack, const DataSet& validation,
                           const Prediction& prediction, int threads);

// What is computed from held-out samples once the networks are trained, and kept in the surrogate: the size
// of sigma, trust, bands, and how strict the law is. Takes the surrogate's prediction for them, as its method
// gives it, and leaves it sized for whoever measures its quality; of the training data the slack alone, so
// that they need not be in memory any more.
void calibrate(const CalibrationOptions& options, const Array<double>& slack, const DataSet& validation,
               Prediction& prediction, int threads, Surrogate& surrogate);

}  // namespace nouq
