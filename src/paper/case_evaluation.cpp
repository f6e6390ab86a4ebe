#include "paper/case_evaluation.h"

#include <algorithm>

#include "data/generate.h"
#include "paper/pictures.h"
#include "paper/result_store.h"
#include "paper/sample_records.h"
#include "paper/sized_evaluation.h"

namespace nouq::paper {
namespace {

// Of the spread as the method gives it, which is what the paper's numbers are of: metrics before and after
// the projections, and what trust says. Adds the trust scores in domain where there are none yet.
ResultJson plain_evaluation(const Surrogate& surrogate, const DataSet& data, const Prediction& p, int threads,
                            std::vector<double>& in_domain, std::vector<double>& scores) {
  const bool law = physics_of(data).has_law();
  ResultJson range;
  for (const std::string& name : projection_names()) {
    const ProjectionKind kind = projection_from_name(name);
    const bool baseline = kind > ProjectionKind::bounded;  // sized_evaluation.h has them
    if (baseline || !is_possible(kind, law, p)) continue;
    const Evaluation e = evaluate(surrogate, data, p, {kind, std::nullopt, threads});
    range["metrics"][name] = metrics_json(e);
    if (e.band_coverage) range["band_coverage"] = *e.band_coverage;
    if (kind != ProjectionKind::none || e.trust_scores.empty()) continue;
    if (in_domain.empty()) in_domain = e.trust_scores;
    range["flagged"] = e.flagged;
    range["trust_auroc"] = auroc(in_domain, e.trust_scores);
    scores = e.trust_scores;
  }
  return range;
}

}  // namespace

CaseEvaluation::CaseEvaluation(const StudyOptions& o, const StudyCase& c, const StudyData& data, int threads)
    : options_(o), case_(c), data_(data), threads_(threads) {
  const auto problem = make_problem(c.problem);
  for (const Shift shift : all_shifts)
    tests_.emplace_back(
        shift, generate_data_set(*problem, {o.test_samples, c.seed + test_seed_offset, problem->range(shift),
                                            data.train.grid, threads}));
}

ResultJson CaseEvaluation::evaluate_ranges(const Surrogate& surrogate, const Surrogate& sized) const {
  ResultJson json;
  std::vector<double> in_domain_scores;
  std::vector<Trust> in_domain;
  for (const auto& [shift, data] : tests_) {
    const Prediction p = predict(surrogate, data.inputs.view(), {true, threads_});
    std::vector<double> scores;
    ResultJson one = plain_evaluation(surrogate, data, p, threads_, in_domain_scores, scores);
    const Prediction with_size = predict(sized, data.inputs.view(), {true, threads_});
    add_sized_evaluation(sized, data, with_size, threads_, in_domain, one);
    one["samples"] = sample_records(sized, data, p, with_size, scores);
    if (ResultJson picture = field_picture(surrogate, pictured_sample(data), threads_); !picture.is_null())
      one["picture"] = std::move(picture);
    json[to_string(shift)] = std::move(one);
  }
  return json;
}

ResultJson CaseEvaluation::picture_members(const Surrogate& surrogate) const {
  const auto sample = [&](Shift wanted) {
    const auto test =
        std::find_if(tests_.begin(), tests_.end(), [&](const auto& one) { return one.first == wanted; });
    return pictured_sample(test->second);
  };
  return to_result(member_picture(surrogate, sample(Shift::in_domain), sample(Shift::large)));
}

ResultJson CaseEvaluation::result(const std::string& method, std::span<const TrainedNetwork> networks) const {
  FitOptions fit = study_fit(options_, case_, method, data_);
  fit.threads = threads_;
  Selection selection =
      finish_selection(SelectionPlan(fit, options_.grid, data_.train, data_.validation), networks);
  Surrogate sized = selection.surrogate;
  calibrate(data_, false, threads_, selection.surrogate);
  calibrate(data_, true, threads_, sized);
  ResultJson result = record_of(selection, networks);
  result["ranges"] = evaluate_ranges(selection.surrogate, sized);
  if (selection.surrogate.weights.size() > 1 && data_.train.grid.size() <= 2)
    result["members"] = picture_members(selection.surrogate);
  return result;
}

}  // namespace nouq::paper
