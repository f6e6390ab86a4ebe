// Predictions of a study's methods beside each other, for one sample of one range.
//
// Contract: all methods are shown the same sample: the one with the median error of the last method. Profiles
// are drawn at half time; fields without time are drawn as maps.
#pragma once

#include "problems/problem.h"
#include "report/model_figures.h"
#include "study/study.h"

namespace nouq::report {

struct ShownMethod {
  std::string name;
  Surrogate surrogate;
};

// One range of a problem with every method's predictions.
class ShownRange {
 public:
  // The first `samples` of the study's own test samples. The methods must outlive it.
  ShownRange(const std::vector<ShownMethod>& methods, const StudyCase& study_case, Shift shift, Index samples,
             int threads);
  ShownRange(const ShownRange&) = delete;  // its sets point into its data
  ShownRange& operator=(const ShownRange&) = delete;

  // Truth, mean and three standard deviations; or mean, error and deviation as maps.
  [[nodiscard]] Figure solutions() const;
  // Profiles before and after the paper's projection and the one within physical bounds; no panels when there
  // is no law.
  [[nodiscard]] Figure projected() const;

 private:
  [[nodiscard]] Panel profile(std::size_t method, const std::vector<FieldSample>& curves) const;
  [[nodiscard]] std::vector<Panel> maps(std::size_t method) const;
  void keep_readable(Figure& figure) const;
  [[nodiscard]] FieldSample before(std::size_t method, const std::string& name) const;
  [[nodiscard]] bool has_time() const;
  [[nodiscard]] double shown_time() const;
  [[nodiscard]] std::string time_words() const;
  [[nodiscard]] std::string sample_words() const;

  const std::vector<ShownMethod>& methods_;
  std::string problem_;
  TestSet test_;
  std::vector<ShownSet> sets_;        // one per method, projected within bounds
  std::vector<Prediction> diagonal_;  // one per method, by the paper's projection; none without a law
  Index at_ = 0;                      // where the shown sample begins
};

}  // namespace nouq::report
