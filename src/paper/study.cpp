#include "paper/study.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/file.h"
#include "data/generate.h"
#include "data/split.h"
#include "physics/evaluation.h"
#include "train/fingerprint.h"
#include "uq/defaults.h"
#include "uq/laplace.h"

namespace nouq::paper {
namespace {

constexpr Index validation_share = 5;  // one sample in so many

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
  const Index count = o.unlabelled > 0 ? o.unlabelled : std::max<Index>(1, o.samples / 10);
  return generate_data_set(problem,
                           {count, c.seed + unlabelled_seed_offset, problem.range(Shift::small), {}, 1})
      .inputs;
}

// Where a problem is solved, and from what its parameters are drawn.
ResultJson data_json(const Problem& problem) {
  ResultJson json = {{"validation_share", validation_share}, {"test_seed", test_seed_offset}};
  for (const nouq::Axis& axis : problem.default_grid()) json["grid"].push_back(axis.coordinates);
  for (const Shift shift : all_shifts)
    json["ranges"].push_back({problem.range(shift).low, problem.range(shift).high});
  return json;
}

// Whether networks see normalised data (default_fit), judged by a few samples. Every look at a result asks
// for its name, so what was found out is remembered.
bool is_normalised(const Problem& problem) {
  static std::mutex mutex;
  static std::map<std::string, bool> known;
  const std::lock_guard guard(mutex);
  const std::string& name = problem.description().name;
  if (const auto found = known.find(name); found != known.end()) return found->second;
  const DataSet few = generate_data_set(problem, {16, 0, problem.range(Shift::in_domain), {}, 1});
  return known[name] = needs_normalisation(few);
}

// What a study sets of a fit, whatever the method.
void set_recipe(const StudyOptions& o, FitOptions& fit) {
  fit.train.schedule.kind = schedule_from_name(o.schedule);
  fit.method.set("bound", o.bound);
}

bool is_plausible(const StudyOptions& o) {
  return study_limits.epochs.holds(o.epochs) && study_limits.samples.holds(o.samples) &&
         study_limits.test_samples.holds(o.test_samples) && study_limits.count.holds(o.count) &&
         study_limits.sampled.holds(o.sampled) && study_limits.unlabelled.holds(o.unlabelled) &&
         study_limits.period.holds(o.period) && std::isfinite(o.bound) && o.bound >= 0;
}

// A hash of what is neither chosen nor swept: the network but for its width, the optimiser, the method's
// constants, the problem's grid and ranges. With another default, a result has another name.
std::string recipe(const Problem& problem, const StudyOptions& o) {
  DataSet shape;
  shape.grid = problem.default_grid();
  Shape fields = shape_of(shape.grid);
  fields.insert(fields.begin(), 1);
  fields.push_back(1);
  shape.inputs = shape.outputs = Array<float>(fields);
  FitOptions fit = default_fit(shape, o.epochs);
  set_recipe(o, fit);
  const LaplaceOptions laplace;
  const Diversity diversity{.bound = o.bound};
  ResultJson all =
      ResultJson::array({describe(fit.train), diversity.bound, diversity.warmup, diversity.sampled,
                         static_cast<int>(laplace.covariance), laplace.count_points, laplace.add_noise,
                         laplace.steps, data_json(problem)});
  if (is_normalised(problem)) all.push_back("normalised");
  const std::string text = all.dump();
  return fmt::format("{:016x}", crc64(std::as_bytes(std::span(text)), 0));
}

// Whether the method has this loss, and it is not its own.
bool has_other_loss(const std::string& method, const std::string& loss) {
  const std::vector<LossKind> kinds = find_method(method).losses();
  return std::any_of(kinds.begin() + 1, kinds.end(), [&](LossKind kind) { return label(kind) == loss; });
}

// What a method's settings say of options that are not at their default, and that mean something to it.
void add_unusual(const StudyOptions& o, const std::string& method, ResultJson& settings) {
  const StudyOptions usual;
  if (method == "diverse") {
    const DiversityKind kind = diversity_from_name(o.diversity);
    if (o.diversity != usual.diversity) settings["diversity"] = o.diversity;
    if (o.diversity_through != usual.diversity_through && kind != DiversityKind::weights)
      settings["diversity_through"] = o.diversity_through;
    if (o.sampled != usual.sampled) settings["sampled"] = o.sampled;
    if (o.unlabelled != usual.unlabelled && needs_unlabelled_inputs(kind))
      settings["unlabelled"] = o.unlabelled;
  }
  if (has_other_loss(method, o.loss)) settings["loss"] = o.loss;
  if (o.period != usual.period) settings["period"] = o.period;
}

}  // namespace

bool is_usual(const ResultJson& settings) {
  for (const char* key : {"diversity", "diversity_through", "sampled", "unlabelled", "loss", "period"}) {
    if (settings.contains(key)) return false;
  }
  return true;
}

StudyData study_data(const StudyOptions& o, const StudyCase& c) {
  const auto problem = make_problem(c.problem);
  DataSet data = generate_data_set(*problem, {o.samples, c.seed, problem->range(Shift::in_domain), {}, 1});
  const Index held_out = o.samples / validation_share;
  const Split parts = split(o.samples, {o.samples - held_out, held_out, 0}, c.seed);
  DataSet validation = take_out(data, parts.validation);
  return {std::move(data), std::move(validation), unlabelled_inputs(o, c, *problem)};
}

FitOptions study_fit(const StudyOptions& o, const StudyCase& c, const std::string& method,
                     const StudyData& data) {
  FitOptions fit = default_fit(data.train, o.epochs);
  fit.normalise = is_normalised(*make_problem(c.problem));  // whatever these samples say: it is in the name
  fit.method.name = method;
  fit.method.set("count", o.count);
  set_recipe(o, fit);
  fit.method.set("diversity", o.diversity);
  fit.method.set("diversity-through", o.diversity_through);
  fit.method.set("sampled", o.sampled);
  if (has_other_loss(method, o.loss)) fit.train.loss.kind = loss_of(find_method(method), o.loss);
  if (o.period > 0) fit.train.schedule.period = o.period;
  if (!data.unlabelled.empty()) fit.train.unlabelled = &data.unlabelled;
  fit.train.seed = c.seed;
  return fit;
}

FitData seen_data(const StudyOptions& o, const StudyCase& c, const StudyData& data) {
  return {study_fit(o, c, "bayesian", data), data.train, data.validation};
}

ResultJson result_settings(const StudyOptions& o, const StudyCase& c, const std::string& method) {
  ResultJson settings = {{"problem", c.problem}, {"method", method},
                         {"seed", c.seed},       {"epochs", o.epochs},
                         {"samples", o.samples}, {"test_samples", o.test_samples},
                         {"count", o.count},     {"grid", grid_json(o, method)}};
  add_unusual(o, method, settings);
  if (o.schedule != StudyOptions{}.schedule) settings["schedule"] = o.schedule;
  if (o.bound != StudyOptions{}.bound) settings["bound"] = o.bound;
  settings["recipe"] = recipe(*make_problem(c.problem), o);
  return settings;
}

std::string words_of(const StudyCase& c, const std::string& method) {
  return fmt::format("{}, {}, seed {}", c.problem, method, c.seed);
}

std::optional<StudyOptions> options_behind(const ResultJson& settings) {
  StudyOptions o;
  try {
    o.epochs = settings.at("epochs").get<Index>();
    o.samples = settings.at("samples").get<Index>();
    o.test_samples = settings.at("test_samples").get<Index>();
    o.count = settings.at("count").get<Index>();
    const ResultJson& grid = settings.at("grid");
    o.grid.width = grid.at("width").get<std::vector<Index>>();
    o.grid.rate = grid.at("rate").get<std::vector<double>>();
    o.grid.dropout = grid.value("dropout", o.grid.dropout);
    o.grid.strength = grid.value("strength", o.grid.strength);
    o.grid.tolerance = grid.value("tolerance", o.grid.tolerance);
    o.diversity = settings.value("diversity", o.diversity);
    o.schedule = settings.value("schedule", o.schedule);
    o.bound = settings.value("bound", o.bound);
    o.diversity_through = settings.value("diversity_through", o.diversity_through);
    o.sampled = settings.value("sampled", o.sampled);
    o.unlabelled = settings.value("unlabelled", o.unlabelled);
    o.loss = settings.value("loss", o.loss);
    o.period = settings.value("period", o.period);
    if (!is_plausible(o)) return std::nullopt;
    const StudyCase own{
        settings.at("problem").get<std::string>(), settings.at("seed").get<std::uint64_t>(), {}};
    if (result_settings(o, own, settings.at("method").get<std::string>()) != settings) return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // files are not trusted
  } catch (const Error&) {
    return std::nullopt;  // a name that this version does not know
  }
  return o;
}

std::vector<std::string> missing_networks(std::span<const TrainerOptions> trainings, const FitData& seen,
                                          const std::filesystem::path& models) {
  std::vector<std::string> missing;
  for (const TrainerOptions& o : trainings) {
    const auto file = training_file(models, training_fingerprint(o, seen.train(), seen.validation()));
    if (!file_exists(file)) missing.push_back(file.stem().string());
  }
  return missing;
}

TrainingsOptions study_trainings(const StudyPlaces& places) {
  return {.threads = places.threads,
          .folder = places.models,
          .checkpoint_seconds = 10,
          .any_processor = places.any_processor,
          .tolerate_divergence = true,
          .shared = true};
}

void calibrate(const StudyData& data, bool sized, int threads, Surrogate& surrogate) {
  Prediction prediction = predict(surrogate, data.validation.inputs.view(), {false, threads});
  CalibrationOptions options = affordable({}, data.validation.size());
  options.sizing = sized && options.sizing;
  calibrate(options, law_noise(data.train), data.validation, prediction, threads, surrogate);
}

std::vector<std::string> open_methods(const StudyOptions& o, const StudyCase& c, const ResultStore& store) {
  std::vector<std::string> methods;
  for (const std::string& method : c.methods) {
    if (!store.has(result_settings(o, c, method))) methods.push_back(method);
  }
  return methods;
}

std::vector<TrainerOptions> method_trainings(const StudyOptions& o, const StudyCase& c,
                                             const std::string& method, const StudyData& data,
                                             const FitData& seen) {
  return seen.adapted(selection_trainings(study_fit(o, c, method, data), o.grid, data.train));
}

}  // namespace nouq::paper
