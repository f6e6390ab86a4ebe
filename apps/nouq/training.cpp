#include "training.h"

#include <algorithm>

#include "core/communicator.h"
#include "core/error.h"
#include "core/file.h"
#include "core/grid_domain.h"
#include "model_info.h"

namespace nouq::cli {

namespace fs = std::filesystem;
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

void tell(const SettingsNote& note, const Output& output) {
  output.say("note: {}{}{}", note.option.empty() ? "" : "--" + note.option, note.option.empty() ? "" : " ",
             note.text);
}

namespace {

fs::path lock_path(const fs::path& folder) { return folder / "run.lock"; }

LockFile lock_folder(const fs::path& folder) {
  make_folder(folder, "checkpoints");
  auto lock = LockFile::try_lock(lock_path(folder));
  require(lock.has_value(), "{} is in use: another run is making the same file; wait for it, or name another",
          folder.string());
  return std::move(*lock);
}

void remove_checkpoints(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::path& file : list_files(folder)) {
    if (file.filename().string().find(".training") != std::string::npos) fs::remove(file, ignored);
  }
}

void refuse_other_runs(const fs::path& folder, const std::vector<std::string>& own) {
  for (const fs::path& file : list_files(folder)) {
    const bool other = file.extension() == ".training" &&
                       std::find(own.begin(), own.end(), file.filename().string()) == own.end();
    require(!other,
            "{} holds an interrupted run with other settings or data; give the same options again to go on "
            "with it, or --fresh to forget it",
            folder.string());
  }
}

// Parts work there at the same time, each at networks of its own.
std::optional<LockFile> prepare_work_folder(const fs::path& folder, bool fresh,
                                            const std::vector<std::string>& checkpoints) {
  std::optional<LockFile> lock;
  if (leads(ranks())) lock = lock_folder(folder);
  if (!file_exists(folder)) return lock;
  if (fresh) remove_checkpoints(folder);
  refuse_other_runs(folder, checkpoints);
  return lock;
}

void remove_work_folder(const fs::path& folder) {
  std::error_code ignored;
  try {
    remove_checkpoints(folder);
  } catch (const Error&) {  // the model is there: what stays does no harm
  }
  fs::remove(lock_path(folder), ignored);
  fs::remove(folder, ignored);  // fails, as it should, when something else is in there
}

}  // namespace

fs::path work_folder(const fs::path& output_file) { return fs::path(output_file).concat(".training"); }

TrainingRun::TrainingRun(const std::filesystem::path& model, bool fresh, TrainSettings& settings,
                         const Output& output, std::function<void(const TrainPlan&)> announce)
    : folder_(work_folder(model)), display_(output.quiet()), progress_(display_.progress()) {
  settings.folder = folder_.string();
  display_.close_when_trained();
  progress_.on_plan = [this, fresh, announce = std::move(announce)](const TrainPlan& plan) {
    if (ranks().rank() > 0) return;  // the folder is rank 0's affair
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

namespace {

// What the error and the losses ask for, where they ask for something.
void print_learning(const ValidationQuality& quality, const Output& output) {
  constexpr const char* indent = "             ";
  const bool useless = quality.relative_l2 && !(*quality.relative_l2 < 0.5);
  if (useless) output.print("{}this is no use yet\n", indent);
  if (quality.learning == Learning::overfitting) {
    output.print("{}the network overfits: training loss {:.2e}, validation loss {:.2e}\n", indent,
                 quality.training_loss, quality.validation_loss);
    output.print(
        "{}more runs help most; else a smaller --batch (5), a smaller --width, --weight-decay 1e-3\n",
        indent);
    output.print("{}or --architecture ffno; more epochs do not\n", indent);
  } else if (quality.learning == Learning::unfinished) {
    output.print("{}the validation loss was still falling at the end: train longer (more --epochs)\n",
                 indent);
  } else if (useless) {
    output.print("{}train longer, or with a smaller --rate if the loss grew\n", indent);
  }
}

const char* name_of(Learning learning) {
  switch (learning) {
    case Learning::overfitting:
      return "overfitting";
    case Learning::unfinished:
      return "unfinished";
    default:
      return "fine";
  }
}

}  // namespace

void print_summary(const fs::path& path, const Model& model, const ValidationQuality& quality, double seconds,
                   const Output& output) {
  const ModelInfo info = model.info();
  output.print("model        {} ({}, {} network{})\n", path.string(), info.method, info.networks,
               info.networks == 1 ? "" : "s");
  const std::optional<double>& relative = quality.relative_l2;
  output.print("validation   relative error {}, mean squared error {:.2e}\n",
               relative ? fmt::format("{:.2e}", *relative) : "-", quality.mse);
  for (std::size_t c = 0; c < quality.channel_relative_l2.size(); ++c)
    output.print("             relative error of {} {:.2e}\n", info.outputs[c],
                 quality.channel_relative_l2[c]);
  print_learning(quality, output);
  output.print("calibration  {:.0f} % of the points inside mean +- 1.96 sigma (nominal 95 %)\n",
               100 * quality.coverage);
  print_calibration(describe_calibration(info), output);
  output.print("time         {:.1f} s\n", seconds);
  output.print(
      "next         nouq evaluate {0} --data FILE\n             nouq predict {0} --input FILE -o "
      "answer.npz\n",
      path.string());
}

Json summary_json(const fs::path& path, const Model& model, const ValidationQuality& quality) {
  const ModelInfo info = model.info();
  const Json relative = quality.relative_l2 ? Json(*quality.relative_l2) : Json(nullptr);
  Json channels = Json::object();
  for (std::size_t c = 0; c < quality.channel_relative_l2.size(); ++c)
    channels[info.outputs[c]] = quality.channel_relative_l2[c];
  return {{"model", path.string()},
          {"method", info.method},
          {"networks", info.networks},
          {"fingerprint", Model::fingerprint(path.string())},
          {"validation",
           {{"relative_l2", relative},
            {"channels", channels},
            {"mse", quality.mse},
            {"coverage", quality.coverage}}},
          {"learning", name_of(quality.learning)},
          {"trust", info.has_trust},
          {"conformal", info.band.has_value()}};
}

}  // namespace nouq::cli
