#include "study/study.h"

#include <algorithm>

#include "data/generate.h"
#include "data/split.h"
#include "study/evaluation.h"
#include "study/result_record.h"
#include "train/fingerprint.h"
#include "uq/conformal.h"
#include "uq/defaults.h"

namespace nouq {
namespace {

ResultJson grid_json(const StudyOptions& o, const std::string& method) {
  ResultJson json = {{"width", o.grid.width}, {"rate", o.grid.rate}};
  if (method == "dropout") json["dropout"] = o.grid.dropout;
  if (method == "diverse") {
    json["strength"] = o.grid.strength;
    json["tolerance"] = o.grid.tolerance;
  }
  return json;
}

Array<float> unlabelled_inputs(const StudyOptions& o, const StudyCase& c, const Problem& problem) {
  if (!needs_unlabelled_inputs(diversity_from_name(o.diversity))) return {};
  return generate_data_set(problem, {std::max<Index>(1, o.samples / 10),
                                     c.seed + unlabelled_seed_offset,
                                     problem.range(Shift::small),
                                     {},
                                     1})
      .inputs;
}

struct Ranges {
  std::vector<std::pair<Shift, DataSet>> tests;
};

Ranges test_ranges(const StudyOptions& o, const StudyCase& c, const Grid& grid, int threads) {
  const auto problem = make_problem(c.problem);
  Ranges ranges;
  for (const Shift shift : all_shifts)
    ranges.tests.emplace_back(shift, generate_data_set(*problem, {o.test_samples, c.seed + test_seed_offset,
                                                                  problem->range(shift), grid, threads}));
  return ranges;
}

ResultJson metrics_json(const Evaluation& evaluation) {
  ResultJson json;
  for (const auto& [name, value] : evaluation.metrics) json[name] = value;
  return json;
}

double conformal_coverage(const Surrogate& surrogate, const DataSet& data, const Prediction& p) {
  const Array<double> truth(data.outputs.shape(),
                            std::vector<double>(data.outputs.begin(), data.outputs.end()));
  return band_coverage(conformal_of(surrogate), p.mean.view(), p.variance.view(), truth.view());
}

// Metrics of every range before and after each projection, trust, and what is left of the bands' coverage.
ResultJson evaluate_ranges(const Surrogate& surrogate, const Ranges& ranges, int threads) {
  ResultJson json;
  std::vector<double> in_domain_scores;
  for (const auto& [shift, data] : ranges.tests) {
    const Prediction p = predict(surrogate, data.inputs.view(), {true, threads});
    const bool law = physics_of(data).has_law();
    ResultJson one;
    for (const std::string& name : projection_names()) {
      const ProjectionKind kind = projection_from_name(name);
      const bool possible =
          kind == ProjectionKind::none || (law && (kind != ProjectionKind::low_rank || !p.samples.empty()));
      if (!possible) continue;
      const Evaluation e = evaluate(surrogate, data, p, {kind, std::nullopt, threads});
      one["metrics"][name] = metrics_json(e);
      if (kind != ProjectionKind::none || e.trust_scores.empty()) continue;
      if (shift == Shift::in_domain) in_domain_scores = e.trust_scores;
      one["flagged"] = e.flagged;
      one["trust_auroc"] = auroc(in_domain_scores, e.trust_scores);
    }
    if (has_conformal(surrogate)) one["band_coverage"] = conformal_coverage(surrogate, data, p);
    json[to_string(shift)] = std::move(one);
  }
  return json;
}

ResultJson result_of(Selection selection, std::span<const TrainedNetwork> networks, const StudyData& data,
                     const Ranges& ranges, int threads) {
  calibrate(data, threads, selection.surrogate);
  ResultJson result = record_of(selection, networks);
  result["ranges"] = evaluate_ranges(selection.surrogate, ranges, threads);
  return result;
}

// The methods of a case that are to be done, and their networks one after another.
struct Plan {
  std::vector<std::string> methods;
  std::vector<TrainOptions> wanted;
  std::vector<std::size_t> first = {0};  // of every method, and the end
};

Plan plan_of(const StudyOptions& o, const StudyCase& c, std::vector<std::string> methods,
             const StudyData& data) {
  Plan plan{std::move(methods), {}};
  for (const std::string& method : plan.methods) {
    const auto own = selection_trainings(study_fit(o, c, method, data), o.grid, data.train);
    plan.wanted.insert(plan.wanted.end(), own.begin(), own.end());
    plan.first.push_back(plan.wanted.size());
  }
  return plan;
}

// Those of the case's methods that the store has, or those that it has not.
std::vector<std::string> methods_in_store(const StudyOptions& o, const StudyCase& c, const ResultStore& store,
                                          bool there) {
  std::vector<std::string> methods;
  for (const std::string& method : c.methods) {
    if (store.has(result_settings(o, c, method)) == there) methods.push_back(method);
  }
  return methods;
}

void require_trained(const Plan& plan, const StudyData& data, const std::filesystem::path& models) {
  const Index count = missing_networks(plan.wanted, data, models);
  require(count == 0,
          "{} of {} trained networks are not in {}; to evaluate again what the store has, they must be there",
          count, plan.wanted.size(), models.string());
}

}  // namespace

StudyData study_data(const StudyOptions& o, const StudyCase& c) {
  const auto problem = make_problem(c.problem);
  const DataSet data =
      generate_data_set(*problem, {o.samples, c.seed, problem->range(Shift::in_domain), {}, 1});
  const Index held_out = o.samples / 5;
  const Split parts = split(o.samples, {o.samples - held_out, held_out, 0}, c.seed);
  return {select(data, parts.train), select(data, parts.validation), unlabelled_inputs(o, c, *problem)};
}

FitOptions study_fit(const StudyOptions& o, const StudyCase& c, const std::string& method,
                     const StudyData& data) {
  FitOptions fit = default_fit(data.train, o.epochs);
  fit.method.name = method;
  fit.method.count = o.count;
  fit.method.diversity.kind = diversity_from_name(o.diversity);
  if (!data.unlabelled.empty()) fit.train.unlabelled = &data.unlabelled;
  fit.train.seed = c.seed;
  fit.normalise = false;  // the paper does not
  return fit;
}

ResultJson result_settings(const StudyOptions& o, const StudyCase& c, const std::string& method) {
  ResultJson settings = {{"problem", c.problem}, {"method", method},
                         {"seed", c.seed},       {"epochs", o.epochs},
                         {"samples", o.samples}, {"test_samples", o.test_samples},
                         {"count", o.count},     {"grid", grid_json(o, method)}};
  // The usual kind goes without saying, so that results from before there was a choice keep their names.
  if (method == "diverse" && o.diversity != StudyOptions{}.diversity) settings["diversity"] = o.diversity;
  return settings;
}

Index missing_networks(std::span<const TrainOptions> trainings, const StudyData& data,
                       const std::filesystem::path& models) {
  return std::count_if(trainings.begin(), trainings.end(), [&](const TrainOptions& o) {
    return !std::filesystem::exists(
        training_file(models, training_fingerprint(o, data.train, data.validation)));
  });
}

void calibrate(const StudyData& data, int threads, Surrogate& surrogate) {
  calibrate(affordable({}, data.validation.size()), data.validation, threads, surrogate);
  record_law(data.train, data.validation, threads, surrogate);
}

std::vector<TrainOptions> case_trainings(const StudyOptions& o, const StudyCase& c, const StudyData& data,
                                         const ResultStore& store) {
  return plan_of(o, c, methods_in_store(o, c, store, false), data).wanted;
}

bool run_case(const StudyOptions& o, const StudyCase& c, const StudyPlaces& places, FitObserver* observer) {
  const ResultStore store(places.results);
  std::filesystem::create_directories(places.models);
  std::vector<std::string> methods = methods_in_store(o, c, store, places.again);
  if (methods.empty()) return true;
  const StudyData data = study_data(o, c);
  const Plan plan = plan_of(o, c, std::move(methods), data);
  if (places.again) require_trained(plan, data, places.models);
  const auto networks = run_trainings(plan.wanted, data.train, data.validation,
                                      {places.threads, places.models, 10, true, true}, observer);
  if (!networks) return false;
  const Ranges ranges = test_ranges(o, c, data.train.grid, places.threads);
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    // Another process that worked on the same case may have been faster.
    if (!places.again && store.has(result_settings(o, c, plan.methods[m]))) continue;
    const auto own = std::span(*networks).subspan(plan.first[m], plan.first[m + 1] - plan.first[m]);
    const Selection selection =
        finish_selection(study_fit(o, c, plan.methods[m], data), o.grid, data.train, data.validation, own);
    store.put(result_settings(o, c, plan.methods[m]),
              result_of(selection, own, data, ranges, places.threads));
  }
  return true;
}

}  // namespace nouq
