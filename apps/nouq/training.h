// What `train` and `select` share: the settings of a training (nouq/settings.h) and its files, the run with
// its checkpoints, its messages and Ctrl-C, and what came out of it.
//
// Contract: the folder of checkpoints beside the model file is what makes an interrupted run go on; one run
// at a time uses it, and it goes away with the run that ends well.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nouq/model.h>
#include <nouq/progress.h>
#include <nouq/train.h>

#include "config/option_table.h"
#include "core/file.h"
#include "output.h"
#include "progress.h"

namespace nouq::cli {

struct TrainingOptions {
  std::filesystem::path data;
  std::filesystem::path validation;
  TrainSettings settings;
  GivenOptions given;
};

// Who chooses width, rate, dropout and strength; a selection has options of its own for them.
enum class Chosen { by_hand, by_selection };
void add_training_options(OptionTable& table, TrainingOptions& options, Chosen chosen = Chosen::by_hand);

// Training samples, and validation samples where they have a file of their own.
struct TrainingData {
  DataSet train;
  std::optional<DataSet> validation;
};
// What would fail after a training is found out here, with the name of the file: fields of zeros, a
// conservation law that does not fit.
TrainingData load_training_data(const TrainingOptions& options);

// All files that the options name to read.
std::vector<std::filesystem::path> input_files(const TrainingOptions& options);

// A note of the library, with the option as one writes it here.
void tell(const SettingsNote& note, const Output& output);

// Where the checkpoints of the run that makes a file are.
std::filesystem::path work_folder(const std::filesystem::path& output_file);

// One training or selection: its folder of checkpoints beside the model file, which other runs are kept out
// of, and what it tells while it runs.
class TrainingRun {
 public:
  // `announce` says what is going to be trained. Sets the folder in the settings, and with `fresh` empties
  // it. Refuses a folder that another run is at, or that has somebody's interrupted run of other trainings.
  TrainingRun(const std::filesystem::path& model, bool fresh, TrainSettings& settings, const Output& output,
              std::function<void(const TrainPlan&)> announce);

  [[nodiscard]] const ValidationQuality& quality() const { return quality_; }
  // Runs the training; one that was stopped is an Interrupted that says how to go on.
  template <class Train>
  auto run(Train&& train) {
    try {
      return train(progress_);
    } catch (const Cancelled&) {
      fail_interrupted();
    }
  }
  // The model is saved: the checkpoints go.
  void finish();

 private:
  [[noreturn]] void fail_interrupted() const;

  std::filesystem::path folder_;
  TrainingDisplay display_;
  Progress progress_;
  ValidationQuality quality_;
  std::optional<LockFile> lock_;
};

// For people: what came out and what to do with it.
void print_summary(const std::filesystem::path& path, const Model& model, const ValidationQuality& quality,
                   double seconds, const Output& output);
Json summary_json(const std::filesystem::path& path, const Model& model, const ValidationQuality& quality);

}  // namespace nouq::cli
