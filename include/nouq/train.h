// Training: from data to a model with uncertainty, trust and bands.
//
//   nouq::DataSet runs = nouq::read("runs.h5");
//   const nouq::Model model = nouq::train(std::move(runs), {.method = "diverse", .epochs = 200});
//   model.save("pme.nouq");
//
// The model is the one that `nouq train` and nouq.train in Python make of the same data and settings.
// Contract: it is a function of data and settings alone; not of threads, nor of interruptions. Wrong settings
// and data that cannot be trained on (fields of zeros, a law that does not fit) are refused before the work
// begins.
#pragma once

#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/model.h>
#include <nouq/progress.h>
#include <nouq/settings.h>

namespace nouq {

// Splits off validation samples (settings.validation_fraction) and trains on the rest. Data that are moved
// in, as in the example above, are in memory once; of others a copy is made.
NOUQ_API Model train(DataSet data, const TrainSettings& settings = {}, const Progress& progress = {});
// With validation data of one's own, on the same domain. Training data that are moved in are let go as soon
// as the networks are trained, which leaves their memory to the calibration.
NOUQ_API Model train(const DataSet& data, const DataSet& validation, const TrainSettings& settings,
                     const Progress& progress = {});
NOUQ_API Model train(DataSet&& data, const DataSet& validation, const TrainSettings& settings,
                     const Progress& progress = {});

// What train() would refuse these data for, with `source` (a file) in the message; for whoever reads several.
NOUQ_API void check_data(const DataSet& data, const TrainSettings& settings, const std::string& source);

struct Selected {
  Model model;
  std::vector<Trial> trials;  // all of them
  std::size_t chosen = 0;
};

// Trains with every combination of the grid and keeps the best by validation error (SelectSettings says how).
NOUQ_API Selected select_model(DataSet data, const TrainSettings& settings = {},
                               const SelectSettings& grid = {}, const Progress& progress = {});
NOUQ_API Selected select_model(const DataSet& data, const DataSet& validation, const TrainSettings& settings,
                               const SelectSettings& grid = {}, const Progress& progress = {});
NOUQ_API Selected select_model(DataSet&& data, const DataSet& validation, const TrainSettings& settings,
                               const SelectSettings& grid = {}, const Progress& progress = {});

// --- Settings as text ------------------------------------------------------------------------------------

// Settings from the lines of a configuration file's table: `epochs = 500`, `method = "ensemble"`, `count =
// 5`, as in [train] of `nouq train --config`. Unknown keys and values out of range are refused with their
// line.
NOUQ_API TrainSettings settings_from_toml(const std::string& text, const TrainSettings& base = {});
// What is not at its default and matters for the result, as one line of JSON; a model file records it.
NOUQ_API std::string to_json(const TrainSettings& settings);
NOUQ_API TrainSettings settings_from_json(const std::string& text, const TrainSettings& base = {});
// "epochs: 200 and 500; width: 32 and 64"; empty when nothing differs.
NOUQ_API std::string difference(const TrainSettings& first, const TrainSettings& second);
// One setting or option by its name. Throws when there is none, or when the value is not allowed.
NOUQ_API void set_option(TrainSettings& settings, const std::string& name, const OptionValue& value);

struct SettingInfo {
  std::string name;     // as an identifier: weight_decay
  std::string keyword;  // as Python declares it: "weight_decay: float = 0.0001"; from is from_ there
  std::string help;     // one line: meaning, what it may be, default
  std::string paragraph;
  std::string group;  // the heading it stands under
  bool list = false;
  bool path = false;
};
// All settings and options, in the order of the help.
NOUQ_API std::vector<SettingInfo> train_settings();
NOUQ_API std::vector<std::string> method_names();

struct MethodInfo {
  std::string name;
  std::string summary;
  std::string count;  // what the option of that name counts: heads, networks, masks; empty: it has none
};
NOUQ_API std::vector<MethodInfo> method_list();

// For programs inside this source tree that read command lines and configuration files (src/config): the
// same description of the settings that everything above is made from.
class OptionTable;
NOUQ_API void describe(OptionTable& table, TrainSettings& settings);
NOUQ_API void describe(OptionTable& table, SelectSettings& settings);

}  // namespace nouq
