#include <algorithm>
#include <cmath>
#include <set>

#include <nouq/train.h>
#include <nouq/version.h>

#include "api/edge_selection.h"
#include "api/shared_model.h"
#include "api/training_law.h"
#include "core/communicator.h"
#include "core/error.h"
#include "core/file.h"
#include "core/grid_domain.h"
#include "data/load.h"
#include "data/split.h"
#include "metrics/metric.h"
#include "model/model_file.h"
#include "nn/architecture.h"
#include "physics/evaluation.h"
#include "physics/law_sizing.h"
#include "physics/rollout.h"
#include "train/fingerprint.h"
#include "train/instruction_set.h"
#include "uq/cross_fitting.h"
#include "uq/fit_progress.h"
#include "uq/learning.h"
#include "uq/quantile.h"
#include "uq/train_settings.h"

namespace nouq {
namespace {

// Trajectories as the time steps in them; of the data, the steps alone are there.
struct Cut {
  TimeSteps train, validation;
  const DataSet& held_out;  // trajectories
  double start = 0;
};

// Everything a training needs, checked; its parts refer to each other, so it stays where it is made.
struct Prepared {
  Prepared(const DataSet& data, const DataSet& held_out, const TrainSettings& given,
           const Cut* cut = nullptr);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  [[nodiscard]] bool crossed() const {
    return uses_cross_fitting(train.size(), validation.size(), settings.cross_folds);
  }

  const DataSet& train;
  const DataSet& validation;
  const Cut* steps;  // of time, or null
  TrainSettings settings;
  std::optional<Surrogate> loaded;
  const Surrogate* from = nullptr;  // what it goes on from
  Array<float> unlabelled;
  CalibrationOptions calibration;
  FitOptions fit;
  InstructionSetInUse instructions;  // of the checkpoints, until the model is ready
};

Prepared::Prepared(const DataSet& data, const DataSet& held_out, const TrainSettings& given, const Cut* cut)
    : train(data), validation(held_out), steps(cut), settings(given), unlabelled(given.unlabelled_inputs) {
  if (settings.from_model != nullptr)
    from = &settings.from_model->shared().surrogate();
  else if (!given.from.empty())
    from = &loaded.emplace(load_model(given.from));
  if (from != nullptr) settings.method = from->method;
  check_data(train, settings, "training data");
  check_data(validation, settings, "validation data");
  require_same_domain(train.grid, validation.grid, "validation data");
  require(same_points(train.grid, validation.grid),
          "validation data: their points are not those of the training data; bring both onto one grid");
  fit = resolve(given, train, from);
  const auto file = find_method(fit.method.name).unlabelled(fit.method).file;
  if (unlabelled.empty() && !file.empty()) unlabelled = load_inputs(file).inputs;
  if (!unlabelled.empty()) fit.train.unlabelled = &unlabelled;
  require_unlabelled(fit);
  if (given.project_in_training) fit.train.law = training_law(train);
  calibration = calibration_of(given, validation.size() + (crossed() ? train.size() : 0));
}

void tell_notes(const Prepared& job, const SelectSettings* grid, const Progress& progress) {
  if (!progress.on_note) return;
  if (job.steps != nullptr) {
    for (const std::string& law : job.steps->train.found) {
      const auto channel = static_cast<std::size_t>(job.train.laws.at(law).channel);
      progress.on_note(
          {"", fmt::format("the integral of {} stays what it is in all trajectories: a conservation law "
                           "of the steps, '{}'",
                           job.train.output_channels[channel].name, law)});
    }
  }
  for (const SettingsNote& note :
       notes_on(job.settings, job.fit, job.calibration, job.train.size(), job.validation.size()))
    progress.on_note(note);
  const std::string& architecture = job.fit.train.network.architecture;
  if (ranks().size() > 1 && !find_architecture(architecture).can_share_batches())
    progress.on_note({"architecture", fmt::format("{}: a network of it is trained by one rank, and ranks "
                                                  "beyond the number of networks wait",
                                                  architecture)});
  if (grid == nullptr) return;
  for (const SettingsNote& note : notes_on(*grid, job.fit.method.name)) progress.on_note(note);
}

std::vector<std::string> checkpoints_of(const std::vector<TrainerOptions>& trainings, const FitData& data,
                                        const std::string& folder) {
  if (folder.empty()) return {};
  std::set<std::string> names;
  for (const TrainerOptions& one : trainings)
    names.insert(training_file(folder, training_fingerprint(one, data.train(), data.validation()))
                     .filename()
                     .string());
  return {names.begin(), names.end()};
}

// All checks have passed: says what is coming. The folder is made after them, not before. What the caller
// does with interrupted trainings (forget them, say) it does when it is told the plan.
void announce(Prepared& job, std::vector<std::string> checkpoints, Index trials, const Progress& progress) {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : checkpoints)
    files.push_back(std::filesystem::path(job.settings.folder) / name);
  if (progress.on_plan)
    progress.on_plan({job.train.size(), job.validation.size(), job.fit.method.name,
                      job.fit.train.network.architecture, job.fit.train.network.width, job.fit.train.epochs,
                      job.fit.normalise, trials, std::move(checkpoints)});
  if (job.settings.folder.empty()) return;
  make_folder(job.settings.folder, "checkpoints");
  if (job.settings.any_processor) return;
  const std::string kept = job.instructions.keep_to(files);
  if (!kept.empty() && progress.on_note)
    progress.on_note(
        {"", fmt::format("goes on with {} instructions, which the interrupted run was begun with", kept)});
}

[[noreturn]] void fail_stopped(const std::string& folder) {
  throw Cancelled(folder.empty() ? "the training was stopped; no checkpoints were kept"
                                 : fmt::format("the training was stopped; its checkpoints are in {}, and the "
                                               "same call goes on from there",
                                               folder));
}

// What is left of the training data when the networks are trained: nothing else of them is needed.
struct Trained {
  Selection selection;             // of one trial, where there was no choice
  Array<double> noise_variance;    // how well the training data meet their law
  std::optional<HeldOut> crossed;  // predictions that calibrate, where the validation samples are too few
};

// The names of the files that the short fits keep.
std::vector<std::string> checkpoints_of(const Prepared& job, const FitOptions& fit) {
  if (!job.crossed() || job.settings.folder.empty()) return {};
  std::vector<std::string> names;
  const CrossFitting folds(fit, job.train, job.validation, job.settings.cross_folds);
  for (const Training& one : folds.trainings())
    names.push_back(
        training_file("", training_fingerprint(one.options, *one.train, *one.validation)).string());
  return names;
}

// After the networks, the short fits that calibrate them.
std::optional<HeldOut> crossed(const Prepared& job, const FitOptions& fit, const Surrogate& surrogate,
                               FitProgress& observer) {
  if (!job.crossed()) return std::nullopt;
  observer.calibrating();
  const CrossFitting folds(fit, job.train, job.validation, job.settings.cross_folds);
  std::optional<HeldOut> held_out = cross_fit(folds, surrogate, true, &observer);
  observer.rethrow();
  if (!held_out) fail_stopped(job.settings.folder);
  return held_out;
}

Trained trained(Prepared& job, const Progress& progress) {
  const FitPlan plan(job.fit, job.train, job.validation);
  std::vector<std::string> files = checkpoints_of(plan.trainings, plan.data, job.settings.folder);
  for (std::string& file : checkpoints_of(job, job.fit)) files.push_back(std::move(file));
  announce(job, std::move(files), 1, progress);
  tell_notes(job, nullptr, progress);
  FitProgress observer(progress);
  std::optional<Surrogate> surrogate = fit(plan, &observer);
  observer.rethrow();
  if (!surrogate) fail_stopped(job.settings.folder);
  auto held_out = crossed(job, job.fit, *surrogate, observer);
  // Before the aggregate: what throws in the middle of one makes GCC 12 destroy its first members twice.
  Array<double> noise = law_noise(job.train);
  return {{{}, 0, std::move(*surrogate)}, std::move(noise), std::move(held_out)};
}

// Trials without the edge, then the winner on all.
Trained selected_at_edge(Prepared& job, const SelectSettings& grid, const Progress& progress) {
  const EdgeSplit parts = split_off_edge(job.train, job.validation);
  const SelectionPlan plan(job.fit, resolve(grid), parts.train, parts.validation);
  std::vector<std::string> files = checkpoints_of(plan.trainings, plan.data, job.settings.folder);
  const FitData whole(job.fit, job.train, job.validation);
  for (const Trial& trial : plan.trials) {
    const FitOptions own = options_of(job.fit, trial);
    const auto trainings = whole.adapted(fit_trainings(own, job.train));
    for (std::string& file : checkpoints_of(trainings, whole, job.settings.folder))
      files.push_back(std::move(file));
    for (std::string& file : checkpoints_of(job, own)) files.push_back(std::move(file));
  }
  announce(job, std::move(files), std::ssize(plan.trials), progress);
  tell_notes(job, &grid, progress);
  FitProgress observer(progress);
  std::optional<Selection> selection = select_at_edge(plan, parts.edge, &observer);
  observer.rethrow();
  if (!selection) fail_stopped(job.settings.folder);
  const FitOptions winner = options_of(job.fit, plan.trials[selection->chosen]);
  std::optional<Surrogate> surrogate = fit(FitPlan(winner, job.train, job.validation), &observer);
  observer.rethrow();
  if (!surrogate) fail_stopped(job.settings.folder);
  selection->surrogate = std::move(*surrogate);
  auto held_out = crossed(job, winner, selection->surrogate, observer);
  Array<double> noise = law_noise(job.train);
  return {std::move(*selection), std::move(noise), std::move(held_out)};
}

Trained selected(Prepared& job, const SelectSettings& grid, const Progress& progress) {
  if (grid.rule == "edge") return selected_at_edge(job, grid, progress);
  require(grid.rule == "tolerance", "rule = '{}': expected tolerance or edge", grid.rule);
  const SelectionPlan plan(job.fit, resolve(grid), job.train, job.validation);
  std::vector<std::string> files = checkpoints_of(plan.trainings, plan.data, job.settings.folder);
  for (const Trial& trial : plan.trials) {
    for (std::string& file : checkpoints_of(job, options_of(job.fit, trial)))
      files.push_back(std::move(file));
  }
  announce(job, std::move(files), std::ssize(plan.trials), progress);
  tell_notes(job, &grid, progress);
  FitProgress observer(progress);
  std::optional<Selection> selection = select_surrogate(plan, &observer);
  observer.rethrow();
  if (!selection) fail_stopped(job.settings.folder);
  const FitOptions chosen = options_of(job.fit, plan.trials[selection->chosen]);
  auto held_out = crossed(job, chosen, selection->surrogate, observer);
  Array<double> noise = law_noise(job.train);
  return {std::move(*selection), std::move(noise), std::move(held_out)};
}

// |mu - u| / |u| of one channel over all samples.
std::vector<double> channel_errors(const Prediction& p, const Array<double>& truth) {
  const auto channels = static_cast<std::size_t>(truth.shape().back());
  std::vector<double> error(channels, 0.0), size(channels, 0.0);
  for (Index i = 0; i < truth.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i) % channels;
    error[c] += (p.mean[i] - truth[i]) * (p.mean[i] - truth[i]);
    size[c] += truth[i] * truth[i];
  }
  for (std::size_t c = 0; c < channels; ++c)
    error[c] = size[c] > 0 ? std::sqrt(error[c] / size[c]) : std::nan("");
  return error;
}

ValidationQuality quality_of(const Prediction& p, const DataSet& data) {
  const Array<double> truth = truth_of(data);
  const std::vector<double> units = channel_units(data.outputs);
  MetricInput input{p.mean.view(), p.variance.view(), truth.view(), {}};
  if (units.size() > 1) input.units = units;
  ValidationQuality quality;
  quality.mse = metrics::mse(input).value;
  quality.coverage = metrics::coverage(input).value;
  if (!zero_field(data)) quality.relative_l2 = metrics::relative_l2(input).value;
  if (data.output_channels.size() > 1) quality.channel_relative_l2 = channel_errors(p, truth);
  return quality;
}

// What the steps are, and what roll-outs of the held-out trajectories say.
void calibrate_steps(const Prepared& job, Surrogate& surrogate) {
  store(job.steps->train, job.steps->start, surrogate);
  const DataSet& trajectories = job.steps->held_out;
  const Index count = trajectories.size();
  const double coverage = job.calibration.coverage;
  calibrate_rollout(trajectories,
                    {affordable_trust_level(job.calibration.trust_level, count),
                     coverage > 0 && count >= samples_needed(coverage) ? coverage : 0},
                    job.fit.threads, surrogate);
}

Model finished(const Prepared& job, Trained result, const Progress& progress) {
  release_others(ranks());
  Surrogate& surrogate = result.selection.surrogate;
  CalibrationOptions calibration = job.calibration;
  const Selection& selection = result.selection;
  // What the edge chose; else all that there is.
  const std::string sizing = selection.trials.empty() ? "" : selection.trials[selection.chosen].sizing;
  if (sizing == "none") calibration.sizing = false;
  const PredictOptions how{false, job.fit.threads};
  Prediction prediction;
  if (!result.crossed) prediction = predict(surrogate, job.validation.inputs.view(), how);
  HeldOut* pool = result.crossed ? &*result.crossed : nullptr;
  calibrate(calibration, result.noise_variance, pool != nullptr ? pool->data : job.validation,
            pool != nullptr ? pool->prediction : prediction, job.fit.threads, surrogate);
  if (sizing == "data") remove_law_sizing(surrogate);
  if (pool != nullptr) {
    surrogate.facts["cross_fitting"] = fmt::format("{} short fits", job.settings.cross_folds);
    prediction = predict(surrogate, job.validation.inputs.view(), how);  // sized
  }
  if (job.steps != nullptr) calibrate_steps(job, surrogate);
  surrogate.facts["made_by"] = "nouq " NOUQ_VERSION;
  surrogate.facts["settings"] = to_json(job.settings);
  if (progress.on_quality) {
    ValidationQuality quality = quality_of(prediction, job.validation);
    const LearningCurves curves = judge_learning(surrogate);
    quality.learning = curves.learning;
    quality.training_loss = curves.training_loss;
    quality.validation_loss = curves.validation_loss;
    progress.on_quality(quality);
  }
  return Model(std::make_shared<SharedModel>(std::move(surrogate)));
}

Selected finished_selection(const Prepared& job, Trained result, const Progress& progress) {
  std::vector<Trial> trials = result.selection.trials;
  const std::size_t chosen = result.selection.chosen;
  return {finished(job, std::move(result), progress), std::move(trials), chosen};
}

// Moves the samples that are kept back out of the data.
DataSet held_out(DataSet& data, const TrainSettings& settings) {
  require_samples(data, 2, "a training and a validation part", "training data");
  const double share = settings.validation_fraction;
  const Split parts = split(data.size(), split_counts(data.size(), {1.0 - share, share, 0.0}), settings.seed);
  return take_out(data, parts.validation);
}

}  // namespace

void check_data(const DataSet& data, const TrainSettings& settings, const std::string& source) {
  validate(data, source);
  with_source(source, [&] {
    if (settings.method != "variance") require_relative_errors(data);
    check_physics(data);
  });
}

namespace {

// How long the steps are; 0: none. A model to go on from says so itself.
Index block_of(const TrainSettings& settings) {
  std::optional<Surrogate> loaded;
  if (settings.from_model == nullptr && settings.from.empty()) return settings.rollout;
  const Surrogate& from = settings.from_model != nullptr ? settings.from_model->shared().surrogate()
                                                         : loaded.emplace(load_model(settings.from));
  const Index own = has_rollout(from) ? rollout_facts(from).block : 0;
  require(settings.rollout == 0 || settings.rollout == own,
          "rollout = {}: the model to start from has {}; fine-tuning keeps that, so leave the option out",
          settings.rollout, own == 0 ? "learnt no time step" : fmt::format("steps of {} time points", own));
  return own;
}

void drop_law(TimeSteps& steps, const std::string& name) {
  steps.data.laws.erase(name);
  steps.data.constraint_values.erase(name);
  std::erase(steps.closed, name);
  std::erase(steps.found, name);
}

// Laws that were found in one part of the data and not in the other are none.
void agree(TimeSteps& train, TimeSteps& validation) {
  require(
      train.inputs == validation.inputs,
      "validation data: their inputs are the initial state where those of the training data are not, or the other "
      "way round");
  for (const auto& [one, other] : {std::pair{&train, &validation}, {&validation, &train}}) {
    for (const std::string& name : std::vector<std::string>(one->found)) {
      if (!other->data.laws.contains(name)) drop_law(*one, name);
    }
    for (const std::string& name : std::vector<std::string>(one->closed)) {
      const auto& list = other->closed;
      if (std::find(list.begin(), list.end(), name) == list.end()) std::erase(one->closed, name);
    }
  }
}

Cut cut(const DataSet& data, const DataSet& validation, Index block) {
  TimeSteps train = time_steps(data, block, "training data");
  TimeSteps held_out = time_steps(validation, block, "validation data");
  Cut result{std::move(train), std::move(held_out), validation, data.grid.back().coordinates.front()};
  agree(result.train, result.validation);
  return result;
}

Model train_steps(Cut steps, const TrainSettings& settings, const Progress& progress) {
  Prepared job(steps.train.data, steps.validation.data, settings, &steps);
  return finished(job, trained(job, progress), progress);
}

Selected select_steps(Cut steps, const TrainSettings& settings, const SelectSettings& grid,
                      const Progress& progress) {
  Prepared job(steps.train.data, steps.validation.data, settings, &steps);
  return finished_selection(job, selected(job, grid, progress), progress);
}

}  // namespace

Model train(const DataSet& data, const DataSet& validation, const TrainSettings& settings,
            const Progress& progress) {
  if (const Index block = block_of(settings); block > 0)
    return train_steps(cut(data, validation, block), settings, progress);
  Prepared job(data, validation, settings);
  return finished(job, trained(job, progress), progress);
}

Model train(DataSet&& data, const DataSet& validation, const TrainSettings& settings,
            const Progress& progress) {
  if (const Index block = block_of(settings); block > 0) {
    Cut steps = cut(data, validation, block);
    data = {};
    return train_steps(std::move(steps), settings, progress);
  }
  Prepared job(data, validation, settings);
  Trained result = trained(job, progress);
  data = {};  // the memory is needed for predictions
  return finished(job, std::move(result), progress);
}

Model train(DataSet data, const TrainSettings& settings, const Progress& progress) {
  const DataSet validation = held_out(data, settings);
  return train(std::move(data), validation, settings, progress);
}

Selected select_model(const DataSet& data, const DataSet& validation, const TrainSettings& settings,
                      const SelectSettings& grid, const Progress& progress) {
  if (const Index block = block_of(settings); block > 0)
    return select_steps(cut(data, validation, block), settings, grid, progress);
  Prepared job(data, validation, settings);
  return finished_selection(job, selected(job, grid, progress), progress);
}

Selected select_model(DataSet&& data, const DataSet& validation, const TrainSettings& settings,
                      const SelectSettings& grid, const Progress& progress) {
  if (const Index block = block_of(settings); block > 0) {
    Cut steps = cut(data, validation, block);
    data = {};
    return select_steps(std::move(steps), settings, grid, progress);
  }
  Prepared job(data, validation, settings);
  Trained result = selected(job, grid, progress);
  data = {};  // the memory is needed for predictions
  return finished_selection(job, std::move(result), progress);
}

Selected select_model(DataSet data, const TrainSettings& settings, const SelectSettings& grid,
                      const Progress& progress) {
  const DataSet validation = held_out(data, settings);
  return select_model(std::move(data), validation, settings, grid, progress);
}

}  // namespace nouq
