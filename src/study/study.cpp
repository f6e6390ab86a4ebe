#include "study/study.h"

#include <algorithm>
#include <chrono>

#include "core/lock_file.h"
#include "core/threads.h"
#include "data/generate.h"
#include "data/split.h"
#include "study/evaluation.h"
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

ResultJson trials_json(const Selection& selection) {
  ResultJson trials = ResultJson::array();
  for (std::size_t t = 0; t < selection.trials.size(); ++t) {
    const Trial& trial = selection.trials[t];
    ResultJson json = {{"width", trial.width},
                       {"rate", trial.rate},
                       {"dropout", trial.dropout},
                       {"strength", trial.strength},
                       {"chosen", t == selection.chosen}};
    json["validation_mse"] = trial.error.empty() ? ResultJson(trial.validation_mse) : ResultJson(nullptr);
    trials.push_back(std::move(json));
  }
  return trials;
}

// Loss of every tenth part of the training; the curve's shape is what a reader wants.
ResultJson history_json(const Surrogate& surrogate) {
  ResultJson curves;
  for (const auto& [network, history] : surrogate.history) {
    const Index epochs = history.extent(0), step = std::max<Index>(1, epochs / 20);
    ResultJson curve = ResultJson::array();
    for (Index e = step - 1; e < epochs; e += step)
      curve.push_back({e + 1, history[3 * e], history[3 * e + 1]});
    curves[network] = std::move(curve);
  }
  return curves;
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

ResultJson result_of(Selection selection, const StudyData& data, const Ranges& ranges, int threads) {
  calibrate(affordable({}, data.validation.size()), data.validation, threads, selection.surrogate);
  record_law(data.train, data.validation, threads, selection.surrogate);
  return {{"trials", trials_json(selection)},
          {"parameters", selection.surrogate.weights.size() * selection.surrogate.weights.front().size()},
          {"ranges", evaluate_ranges(selection.surrogate, ranges, threads)},
          {"history", history_json(selection.surrogate)},
          {"threads_of_the_machine", available_threads()}};
}

}  // namespace

StudyData study_data(const StudyOptions& o, const StudyCase& c) {
  const auto problem = make_problem(c.problem);
  const DataSet data =
      generate_data_set(*problem, {o.samples, c.seed, problem->range(Shift::in_domain), {}, 1});
  const Index held_out = o.samples / 5;
  const Split parts = split(o.samples, {o.samples - held_out, held_out, 0}, c.seed);
  return {select(data, parts.train), select(data, parts.validation)};
}

FitOptions study_fit(const StudyOptions& o, const StudyCase& c, const std::string& method,
                     const DataSet& train) {
  FitOptions fit = default_fit(train, o.epochs);
  fit.method.name = method;
  fit.method.count = o.count;
  fit.train.seed = c.seed;
  fit.normalise = false;  // the paper does not
  return fit;
}

ResultJson result_settings(const StudyOptions& o, const StudyCase& c, const std::string& method) {
  return {{"problem", c.problem}, {"method", method},
          {"seed", c.seed},       {"epochs", o.epochs},
          {"samples", o.samples}, {"test_samples", o.test_samples},
          {"count", o.count},     {"grid", grid_json(o, method)}};
}

bool run_case(const StudyOptions& o, const StudyCase& c, const StudyPlaces& places, FitObserver* observer) {
  const ResultStore store(places.results);
  std::filesystem::create_directories(places.models);
  const auto lock = LockFile::try_lock(places.models / fmt::format("{}-{}.lock", c.problem, c.seed));
  if (!lock) return true;  // another process is at it
  std::vector<std::string> missing;
  for (const std::string& method : c.methods) {
    if (!store.has(result_settings(o, c, method))) missing.push_back(method);
  }
  if (missing.empty()) return true;
  const StudyData data = study_data(o, c);
  std::vector<TrainOptions> wanted;
  std::vector<std::size_t> first = {0};
  for (const std::string& method : missing) {
    const auto own = selection_trainings(study_fit(o, c, method, data.train), o.grid, data.train);
    wanted.insert(wanted.end(), own.begin(), own.end());
    first.push_back(wanted.size());
  }
  const auto start = std::chrono::steady_clock::now();
  const auto networks =
      run_trainings(wanted, data.train, data.validation, {places.threads, places.models, 10, true}, observer);
  if (!networks) return false;
  const std::chrono::duration<double> trained = std::chrono::steady_clock::now() - start;
  const Ranges ranges = test_ranges(o, c, data.train.grid, places.threads);
  for (std::size_t m = 0; m < missing.size(); ++m) {
    const auto own = std::span(*networks).subspan(first[m], first[m + 1] - first[m]);
    ResultJson result = result_of(
        finish_selection(study_fit(o, c, missing[m], data.train), o.grid, data.train, data.validation, own),
        data, ranges, places.threads);
    result["seconds_training_all_methods"] = trained.count();
    store.put(result_settings(o, c, missing[m]), result);
  }
  return true;
}

}  // namespace nouq
