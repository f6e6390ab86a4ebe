// What a prediction looks like in a file and on a terminal.
#pragma once

#include <vector>

#include <nouq/files.h>
#include <nouq/prediction.h>

#include "output.h"

namespace nouq::cli {

// mean, std and, where they exist, samples, band, trust_score and trust_verdict. A band that the model has
// but that would cover nothing here (after a projection, on another grid) is left out with a note.
std::vector<NamedArray> answer_arrays(const Model& model, const std::string& projection, const Prediction& p,
                                      const std::vector<Trust>& trusts, const Output& output);

// A line for each of the first samples.
void print_answer(const Prediction& p, const std::vector<Trust>& trusts, const Output& output);

}  // namespace nouq::cli
