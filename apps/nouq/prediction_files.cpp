#include "prediction_files.h"

#include <nouq/prediction.h>

#include "argument_values.h"
#include "core/error.h"

namespace nouq::cli {
namespace {

// `extra`: axes before those of the grid.
Array<double> with_all_axes(Array<double> values, std::size_t axes, std::size_t extra, const char* expected,
                            const std::string& what) {
  if (axes == 0) return values;
  Shape shape = values.shape();
  const std::size_t full = axes + extra + 1;
  require(shape.size() + 2 >= full && shape.size() <= full, "{}: shape {}, expected {} on a grid of {} axes",
          what, to_string(shape), expected, axes);
  if (shape.size() + 2 == full) shape.insert(shape.begin(), 1);
  if (shape.size() + 1 == full) shape.push_back(1);
  return {std::move(shape), values.begin(), values.end()};
}

Array<double> read_checked(const std::string& word, const std::vector<std::string>& customary,
                           const std::string& option) {
  Array<double> values = read_array(word, customary, option);
  require(!values.empty() && values.rank() >= 1, "{} {}: shape {}, expected at least one value", option, word,
          to_string(values.shape()));
  require_finite(values, option + " " + word);
  return values;
}

Array<double> read_variance(const PredictionFiles& files) {
  const bool squared = files.deviation.empty();
  const std::string option = squared ? "--var" : "--std";
  const std::string& word = squared ? files.variance : files.deviation;
  const std::vector<std::string> customary =
      squared ? std::vector<std::string>{"variance", "var"} : std::vector<std::string>{"std", "sigma"};
  Array<double> values = read_checked(word, customary, option);
  require_not_negative(values, option + " " + word);
  for (double& value : values) value *= squared ? 1 : value;
  return values;
}

void read_samples(const PredictionFiles& files, std::size_t axes, LoadedPrediction& loaded) {
  const std::string what = "--samples " + files.samples;
  Array<double> given = read_checked(files.samples, {"samples"}, "--samples");
  loaded.samples_shape = given.shape();
  loaded.samples = with_all_axes(std::move(given), axes, 2,
                                 "[n, members, axes...(, channels)] or [members, axes...]", what);
  const Shape& shape = loaded.samples.shape();
  require(shape.size() >= 3 && shape[1] >= 2,
          "{}: shape {}, expected [n, members, axes...] with at least two members", what,
          to_string(loaded.samples_shape));
}

// The shape of the samples without the members.
Shape field_shape(Shape samples, bool alone) {
  samples.erase(samples.begin() + (alone ? 0 : 1));
  return samples;
}

void fill_from_samples(LoadedPrediction& loaded) {
  Prediction made = from_samples(std::move(loaded.samples));
  loaded.samples = std::move(made.samples);
  if (loaded.mean.empty()) {
    loaded.mean = std::move(made.mean);
    loaded.shape =
        field_shape(loaded.samples_shape, loaded.samples_shape.size() + 2 == loaded.samples.rank());
  }
  if (loaded.variance.empty()) loaded.variance = std::move(made.variance);
}

void check_shapes(const PredictionFiles& files, const LoadedPrediction& loaded) {
  const Shape& mean = loaded.mean.shape();
  require(loaded.variance.empty() || loaded.variance.shape() == mean,
          "{}: shape {}, expected that of the mean, {}",
          files.deviation.empty() ? "--var " + files.variance : "--std " + files.deviation,
          to_string(loaded.variance.shape()), to_string(mean));
  require(loaded.samples.empty() || field_shape(loaded.samples.shape(), false) == mean,
          "--samples {}: shape {}, expected that of the mean, {}, with the members as second axis",
          files.samples, to_string(loaded.samples.shape()), to_string(mean));
}

}  // namespace

void add_prediction_options(OptionTable& table, PredictionFiles& files) {
  table.group("The prediction");
  table
      .add("mean", files.mean,
           "the mean, [n, axes...] or [n, axes..., channels]; by default that of the samples")
      .shown_as("FILE[:ARRAY]");
  table.add("var", files.variance, "its variance, of the same shape").shown_as("FILE[:ARRAY]");
  table.add("std", files.deviation, "its standard deviation, instead of the variance")
      .shown_as("FILE[:ARRAY]");
  table.add("samples", files.samples, "heads, members or draws, [n, members, axes...]")
      .shown_as("FILE[:ARRAY]");
}

Array<double> as_fields(Array<double> values, std::size_t axes, const std::string& what) {
  return with_all_axes(std::move(values), axes, 1, "[n, axes...(, channels)] or [axes...]", what);
}

LoadedPrediction load_prediction(const PredictionFiles& files, std::size_t axes) {
  require(!files.mean.empty() || !files.samples.empty(), "there is no prediction: give --mean or --samples");
  require(files.variance.empty() || files.deviation.empty(), "--var and --std say the same thing: give one");
  LoadedPrediction loaded;
  if (!files.mean.empty()) {
    Array<double> mean = read_checked(files.mean, {"mean"}, "--mean");
    loaded.shape = mean.shape();
    loaded.mean = as_fields(std::move(mean), axes, "--mean " + files.mean);
  }
  if (!files.variance.empty() || !files.deviation.empty())
    loaded.variance =
        as_fields(read_variance(files), axes,
                  files.deviation.empty() ? "--var " + files.variance : "--std " + files.deviation);
  if (!files.samples.empty()) read_samples(files, axes, loaded);
  if (!loaded.samples.empty()) fill_from_samples(loaded);
  check_shapes(files, loaded);
  return loaded;
}

}  // namespace nouq::cli
