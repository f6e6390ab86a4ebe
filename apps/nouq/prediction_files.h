// A prediction made by anybody, from files: its mean, its variance or standard deviation, its samples.
//
// Contract: fields are [n, axes..., channels]. With a known number of axes the files may leave out the
// channels, or both the channels and n (one field alone); `shape` and `samples_shape` are as they were given.
// What the files leave out is made from the samples (heads, members, draws), with M - 1 in the variance.
// Values are finite and variances not negative, or an Error names option, sample and element.
#pragma once

#include <string>

#include <nouq/array.h>

#include "config/option_table.h"

namespace nouq::cli {

struct PredictionFiles {
  std::string mean;
  std::string variance;
  std::string deviation;
  std::string samples;
};

void add_prediction_options(OptionTable& table, PredictionFiles& files);

struct LoadedPrediction {
  Array<double> mean, variance;  // [n, axes..., channels]; the variance is empty when nothing gives one
  Array<double> samples;         // [n, M, axes..., channels], or empty
  Shape shape;
  Shape samples_shape;

  [[nodiscard]] Index count() const { return mean.extent(0); }
  [[nodiscard]] Index channels() const { return mean.shape().back(); }
};

// axes: how many the grid has; 0 when it is not known, then arrays stay as they are.
LoadedPrediction load_prediction(const PredictionFiles& files, std::size_t axes);

// [axes...] or [n, axes...] as [n, axes..., channels]. `what` names the array in messages.
Array<double> as_fields(Array<double> values, std::size_t axes, const std::string& what);

}  // namespace nouq::cli
