#include "training_options.h"

#include "core/error.h"
#include "core/grid_domain.h"

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
  DataSet data = read(path.string());
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
  if (!o.validation.empty()) {
    data.validation = load_checked(o, o.validation);
    require_same_domain(data.train.grid, data.validation->grid, o.validation.string());
    return data;
  }
  require_samples(data.train, 2, "a training and a validation part", o.data.string());
  return data;
}

std::vector<std::filesystem::path> input_files(const TrainingOptions& o) {
  return {o.data, o.validation, unlabelled_file(o.settings), o.settings.from};
}

void tell_kept_by_model(const TrainingOptions& o, const Output& output) {
  if (o.settings.from.empty()) return;
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

void tell(const SettingsNote& note, const Output& output) {
  output.say("note: {}{}{}", note.option.empty() ? "" : "--" + note.option, note.option.empty() ? "" : " ",
             note.text);
}

TrainingRun::TrainingRun(const std::filesystem::path& model, bool fresh, TrainSettings& settings,
                         const Output& output, std::function<void(const TrainPlan&)> announce)
    : folder_(work_folder(model)), display_(output.quiet()), progress_(display_.progress()) {
  settings.folder = folder_.string();
  display_.close_when_trained();
  progress_.on_plan = [this, fresh, announce = std::move(announce)](const TrainPlan& plan) {
    lock_ = prepare_work_folder(folder_, fresh, plan.checkpoints);
    announce(plan);
  };
  progress_.on_note = [&output](const SettingsNote& note) { tell(note, output); };
  progress_.on_quality = [this](const ValidationQuality& quality) { quality_ = quality; };
}

void TrainingRun::finish() {
  remove_work_folder(folder_);
  lock_.reset();
}

void TrainingRun::fail_interrupted() const {
  throw Interrupted(fmt::format("stopped; the checkpoints are in {}. The same command goes on from there",
                                folder_.string()));
}

}  // namespace nouq::cli
