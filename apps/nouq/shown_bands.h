// The bands that figures draw around predictions: the calibrated ones, where the model has some for what is
// shown.
//
// Why: three raw standard deviations promise nothing; calibrated bands contain a field, or each of its
// values, with a stated probability, for inputs like those of training.
#pragma once

#include <optional>
#include <string>

#include <nouq/prediction.h>

#include "plot/prediction_figure.h"

namespace nouq::cli {

struct ShownBands {
  std::optional<Array<double>> before, after;  // half widths; none: three standard deviations are drawn
  std::string brief;                           // what they are, for titles: "bands of 90 %"
  std::string words;                           // and as a sentence
};

// `projected`: whether `after` is another prediction than `before`.
ShownBands shown_bands(const Model& model, const Prediction& before, const Prediction& after, bool projected);

// The curves of one sample, which begins at element `at` of the predictions; they must outlive them.
std::vector<plot::FieldSample> curves_of(const std::string& name, const Prediction& before,
                                         const Prediction& after, bool projected, const ShownBands& bands,
                                         Index at);

}  // namespace nouq::cli
