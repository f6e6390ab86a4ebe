#include <nouq/train.h>
#include <nouq/version.h>

#include "api/fit_progress.h"
#include "api/shared_model.h"
#include "core/grid_domain.h"
#include "core/with_source.h"
#include "data/input_file.h"
#include "data/split.h"
#include "model/model_file.h"
#include "physics/evaluation.h"
#include "uq/train_settings.h"

namespace nouq {
namespace {

// Everything a training needs, checked; its parts refer to each other, so it stays where it is made.
struct Prepared {
  Prepared(const DataSet& data, const DataSet& held_out, const TrainSettings& given);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const DataSet& train;
  const DataSet& validation;
  TrainSettings settings;
  std::optional<Surrogate> from;
  Array<float> unlabelled;
  CalibrationOptions calibration;
  FitOptions fit;
};

Prepared::Prepared(const DataSet& data, const DataSet& held_out, const TrainSettings& given)
    : train(data), validation(held_out), settings(given), unlabelled(given.unlabelled_inputs) {
  if (!given.from.empty()) settings.method = from.emplace(load_model(given.from)).method;
  check_data(train, settings, "training data");
  check_data(validation, settings, "validation data");
  require_same_domain(train.grid, validation.grid, "validation data");
  fit = resolve(given, train, from ? &*from : nullptr);
  if (unlabelled.empty() && !fit.method.unlabelled.empty())
    unlabelled = load_inputs(fit.method.unlabelled).inputs;
  if (!unlabelled.empty()) fit.train.unlabelled = &unlabelled;
  require_unlabelled(fit);
  calibration = calibration_of(given, validation.size());
}

void tell_notes(const Prepared& job, const Progress& progress) {
  if (!progress.on_note) return;
  for (const SettingsNote& note : notes_on(job.settings, job.fit, job.calibration, job.validation.size()))
    progress.on_note(note);
}

[[noreturn]] void fail_stopped(const std::string& folder) {
  throw Cancelled(folder.empty() ? "the training was stopped; no checkpoints were kept"
                                 : fmt::format("the training was stopped; its checkpoints are in {}, and the "
                                               "same call goes on from there",
                                               folder));
}

Model finished(const Prepared& job, Surrogate surrogate) {
  calibrate(job.calibration, job.train, job.validation, job.fit.threads, surrogate);
  surrogate.facts["made_by"] = "nouq " NOUQ_VERSION;
  surrogate.facts["settings"] = to_json(job.settings);
  return Model(std::make_shared<SharedModel>(std::move(surrogate)));
}

// The samples kept back, and the rest.
std::pair<DataSet, DataSet> held_out(const DataSet& data, const TrainSettings& settings) {
  require_samples(data, 2, "a training and a validation part", "training data");
  const double share = settings.validation_fraction;
  const Split parts = split(data.size(), split_counts(data.size(), {1.0 - share, share, 0.0}), settings.seed);
  return {select(data, parts.train), select(data, parts.validation)};
}

}  // namespace

void check_data(const DataSet& data, const TrainSettings& settings, const std::string& source) {
  validate(data, source);
  with_source(source, [&] {
    if (settings.method != "variance") require_relative_errors(data);
    (void)physics_of(data);
  });
}

Model train(const DataSet& data, const DataSet& validation, const TrainSettings& settings,
            const Progress& progress) {
  const Prepared job(data, validation, settings);
  tell_notes(job, progress);
  FitProgress observer(progress);
  std::optional<Surrogate> surrogate = fit(job.fit, data, validation, &observer);
  observer.rethrow();
  if (!surrogate) fail_stopped(settings.folder);
  return finished(job, std::move(*surrogate));
}

Model train(const DataSet& data, const TrainSettings& settings, const Progress& progress) {
  const auto [train_part, validation] = held_out(data, settings);
  return train(train_part, validation, settings, progress);
}

Selected select_model(const DataSet& data, const DataSet& validation, const TrainSettings& settings,
                      const SelectSettings& grid, const Progress& progress) {
  const Prepared job(data, validation, settings);
  tell_notes(job, progress);
  FitProgress observer(progress);
  std::optional<Selection> selection = select_surrogate(job.fit, resolve(grid), data, validation, &observer);
  observer.rethrow();
  if (!selection) fail_stopped(settings.folder);
  return {finished(job, std::move(selection->surrogate)), std::move(selection->trials), selection->chosen};
}

Selected select_model(const DataSet& data, const TrainSettings& settings, const SelectSettings& grid,
                      const Progress& progress) {
  const auto [train_part, validation] = held_out(data, settings);
  return select_model(train_part, validation, settings, grid, progress);
}

}  // namespace nouq
