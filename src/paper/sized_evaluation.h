// What a surrogate with a sized sigma is worth on one range, for its result:
//
//   sized                metrics with sigma sized by data and law; sized_band_coverage beside it
//   sized_after          the same after every projection that the data allow, baselines as well, with the
//                        band_coverage of the bands calibrated for it
//   nulls                metrics of the same mean with sigmas that look at no prediction (null_sigma.h)
//   verdict              share flagged, and AUROC against the samples in domain of the verdict and of each
//                        witness that is heard
//   witnesses            spread, law and novelty of every sample, in units of what is usual
//
// Contract: `prediction` is the sized surrogate's for the data, with samples where the method has them.
// `in_domain` is what trust says of the range in domain; its own AUROC is 0.5.
#pragma once

#include <vector>

#include "paper/result_store.h"
#include "physics/evaluation.h"

namespace nouq::paper {

ResultJson metrics_json(const Evaluation& evaluation);

// Those that the study shows, and those that need what is not there.
bool is_possible(ProjectionKind kind, bool law, const Prediction& prediction);

// Adds the entries to `range`, and the trust of its samples to `in_domain` where that is still empty.
void add_sized_evaluation(const Surrogate& sized, const DataSet& data, const Prediction& prediction,
                          int threads, std::vector<Trust>& in_domain, ResultJson& range);

}  // namespace nouq::paper
