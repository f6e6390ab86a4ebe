// What a result keeps of every test sample, so that a new formula does not need the networks again.
//
// Contract: lists of one number per sample, in the order of the test set (which can be drawn again), rounded
// to five significant digits; a list that does not apply is left out, a number that is not finite is null.
//   parameter   of the problem
//   size        root mean square of the truth
//   error       root mean square of the error of the mean
//   spread      root mean square of sigma as the method gives it
//   sized       the same, sized by data
//   factor      what the law multiplies the sized variance by
//   violation   root of the sum over the law's rows of the squared residual of the mean
//   inside      share of points within 1.96 of the sigma sized by data and law
//   in_band     whether the band of the sized sigma holds the whole field: 1 or 0
//   trust       score; 1 is the edge of what was seen
#pragma once

#include "paper/result_store.h"
#include "uq/predictor.h"

namespace nouq::paper {

ResultJson rounded_list(const std::vector<double>& numbers);

// `plain` is predicted by the surrogate without sizes, `sized` by the one that has them, before the law.
ResultJson sample_records(const Surrogate& sized_surrogate, const DataSet& data, const Prediction& plain,
                          const Prediction& sized, const std::vector<double>& trust_scores);

}  // namespace nouq::paper
