#include "training_options.h"

#include <nouq/train.h>

#include "core/grid_domain.h"
#include "data/load.h"
#include "data/split.h"

namespace nouq::cli {

void add_training_options(OptionTable& table, TrainingOptions& o, Chosen chosen) {
  table.group("Data");
  table.add("data", o.data, "what to learn: NPZ or HDF5").as_positional().as_required();
  table.add("validation", o.validation, "data file to validate on, instead of a part of the data")
      .shown_as("FILE");
  describe(table, o.settings);
  table.remove("folder");  // beside the model file
  if (chosen == Chosen::by_hand) return;
  for (const char* name : {"width", "rate", "dropout", "strength", "from"}) table.remove(name);
}

namespace {

DataSet load_checked(const TrainingOptions& o, const std::filesystem::path& path) {
  DataSet data = load_data_set(path);
  check_data(data, o.settings, path.string());
  return data;
}

std::filesystem::path unlabelled_file(const TrainSettings& settings) {
  const auto found = settings.options.find("unlabelled");
  if (found == settings.options.end() || found->second.values().empty()) return {};
  return std::get<std::string>(found->second.values().front());
}

}  // namespace

TrainingData load_training_data(const TrainingOptions& o) {
  TrainingData data;
  data.train = load_checked(o, o.data);
  const std::filesystem::path unlabelled = unlabelled_file(o.settings);
  if (!unlabelled.empty()) data.unlabelled = load_inputs(unlabelled).inputs;
  if (!o.validation.empty()) {
    data.validation = load_checked(o, o.validation);
    require_same_domain(data.train.grid, data.validation.grid, o.validation.string());
    return data;
  }
  require_samples(data.train, 2, "a training and a validation part", o.data.string());
  const double share = o.settings.validation_fraction;
  const SplitCounts counts = split_counts(data.train.size(), {1.0 - share, share, 0.0});
  const Split parts = split(data.train.size(), counts, o.settings.seed);
  data.validation = take_out(data.train, parts.validation);
  return data;
}

std::vector<std::filesystem::path> input_files(const TrainingOptions& o) {
  return {o.data, o.validation, unlabelled_file(o.settings), o.settings.from};
}

FitOptions fit_options(const TrainingOptions& o, const TrainingData& data, const Surrogate* from) {
  FitOptions fit = resolve(o.settings, data.train, from);
  if (!data.unlabelled.empty()) fit.train.unlabelled = &data.unlabelled;
  require_unlabelled(fit);
  return fit;
}

namespace {

// What --from decides instead.
void tell_kept_by_model(const TrainingOptions& o, const Output& output) {
  std::vector<std::string> idle;
  for (const SettingInfo& setting : train_settings()) {
    const std::string name = option_name(setting.name);
    const bool kept = setting.group == "Network" || name == "method" || name == "count" || name == "dropout";
    if (kept && o.given.names.contains(name)) idle.push_back("--" + name);
  }
  if (!idle.empty())
    output.say("note: {} {} nothing with --from, which keeps the model's method, network and normalisation",
               fmt::join(idle, ", "), idle.size() == 1 ? "does" : "do");
}

}  // namespace

void tell_notes(const TrainingOptions& o, const FitOptions& fit, const CalibrationOptions& planned,
                Index held_out, const Output& output) {
  if (fit.from != nullptr) tell_kept_by_model(o, output);
  tell(notes_on(o.settings, fit, planned, held_out), output);
}

void tell(const std::vector<SettingsNote>& notes, const Output& output) {
  for (const SettingsNote& note : notes)
    output.say("note: {}{}{}", note.option.empty() ? "" : "--" + note.option, note.option.empty() ? "" : " ",
               note.text);
}

}  // namespace nouq::cli
