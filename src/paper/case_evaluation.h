// What the surrogates of a case are worth: metrics before and after each projection on every range, trust,
// what is left of the bands' coverage, and what is kept for pictures.
//
// Why a class: the methods of a case share their test data. Contract: results are the same for any number of
// threads; `data` must outlive the evaluation.
#pragma once

#include <nouq/problem.h>

#include "paper/study.h"

namespace nouq::paper {

class CaseEvaluation {
 public:
  CaseEvaluation(const StudyOptions& options, const StudyCase& study_case, const StudyData& data,
                 int threads);

  // Chooses among the trials of a method, calibrates and evaluates the surrogate: a result for the store.
  // `networks` are those of all trials, in the order of selection_trainings().
  [[nodiscard]] ResultJson result(const std::string& method, std::span<const TrainedNetwork> networks) const;

 private:
  [[nodiscard]] ResultJson evaluate_ranges(const Surrogate& surrogate, const Surrogate& sized) const;
  [[nodiscard]] ResultJson picture_members(const Surrogate& surrogate) const;

  const StudyOptions& options_;
  const StudyCase& case_;
  const StudyData& data_;
  int threads_;
  std::vector<std::pair<Shift, DataSet>> tests_;
};

}  // namespace nouq::paper
