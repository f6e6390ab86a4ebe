// The options of a training, shared by `train` and `select`.
#pragma once

#include "config/option_table.h"
#include "data/data_set.h"
#include "uq/defaults.h"

namespace nouq::cli {

struct TrainingOptions {
  std::filesystem::path data;
  std::filesystem::path validation;
  double validation_fraction = 0.2;

  std::string method = "diverse";
  Index count = 10;
  double dropout = 0.1;
  std::string diversity = "weights";
  double strength = MethodOptions{}.diversity.strength;
  double bound = 0.0;
  Index warmup = 10;
  Index sampled = 0;
  std::filesystem::path unlabelled;
  std::string laplace = "diagonal";
  bool count_points = false;
  bool add_noise = false;

  Index width = 32;
  Index blocks = 4;
  std::vector<Index> modes;
  std::vector<Index> padding;
  double padding_fraction = 0;
  std::string normalise = "auto";

  Index epochs = 200;
  Index batch = 20;
  double rate = 1e-3;
  std::string schedule = "step";
  double weight_decay = 1e-4;
  Index patience = 0;

  std::optional<double> trust_level;
  double trust_far = 2.0;
  std::optional<double> coverage;
  bool pointwise = false;

  std::uint64_t seed = 0;
  int threads = 0;
  Index checkpoint_period = 1;

  GivenOptions given;
};

// Who chooses width, rate, dropout and strength; a selection has options of its own for them.
enum class Chosen { by_hand, by_selection };
void add_training_options(OptionTable& table, TrainingOptions& options, Chosen chosen = Chosen::by_hand);

// Training and validation samples; the second from its own file or split off.
struct TrainingData {
  DataSet train;
  DataSet validation;
  Array<float> unlabelled;  // inputs; empty unless asked for
};
// What would fail after a training is found out here: fields of zeros, a conservation law that does not fit.
TrainingData load_training_data(const TrainingOptions& options);

// The first sample whose output is zero everywhere, so that no error is relative to it.
std::optional<Index> zero_field(const DataSet& data);

// Throws on settings the data do not allow, e.g. more modes than an axis has.
FitOptions fit_options(const TrainingOptions& options, const TrainingData& data);
// What so many held-out samples allow. Throws when a level that was asked for needs more of them; the usual
// levels are left out where they do.
CalibrationOptions calibration_options(const TrainingOptions& options, Index held_out);

}  // namespace nouq::cli
