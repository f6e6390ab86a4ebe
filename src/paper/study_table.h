// The tables of a study: rows are ranges and methods, cells our mean and deviation over seeds, with the
// paper's number beside them where it has one.
#pragma once

#include <string>

#include "paper/study_results.h"

namespace nouq::paper {

// The paper's metrics. Throws when there is no result of the problem.
Table study_table(const StudyResults& results, const std::string& problem);

// Calibration with sigma as the method gives it, beside the sized one; no rows where results of before do not
// have it.
Table sized_table(const StudyResults& results, const std::string& problem);
// The sized sigma beside sigmas that look at no prediction; after each projection; and, over all problems,
// the verdict of trust beside its witnesses. No rows likewise.
Table nulls_table(const StudyResults& results, const std::string& problem);
Table after_table(const StudyResults& results, const std::string& problem);
Table verdict_table(const StudyResults& results);

// What the paper does not measure: error after the projection that keeps to physical bounds, n-MeRCI point by
// point, and whether trust score and bands hold what they promise.
Table own_table(const StudyResults& results, const std::string& problem);

// Before and after projections onto the conservation law. No rows when the problem has no law.
Table projection_table(const StudyResults& results, const std::string& problem);

// What the paper claims, over all problems: how ensemble and diverse rank beside the cheap methods, diverse
// beside the ensemble, and what projections do. Tables without a row are left out.
std::vector<Table> claims_tables(const StudyResults& results);

// Over all problems: whether the trust score tells shifted from in-domain samples, and how many fields lie in
// their bands. No rows where no result says so.
Table trust_table(const StudyResults& results);

// The validation error of every diversity strength that was tried with the chosen width and rate, a row for
// each problem and seed; the chosen one is marked. No rows where nothing was chosen from.
Table strength_table(const StudyResults& results);

// What a method costs on every problem: networks, parameters, FLOPs of a prediction, seconds of
// training.
Table cost_table(const StudyResults& results);

// How long the networks of each problem's tables took, where their results say so.
Table time_table(const StudyResults& results);

}  // namespace nouq::paper
