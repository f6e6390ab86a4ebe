// What a prediction is asked (inputs from a file or from values of parameters, and with them a law when it is
// known), and what its answer looks like in a file and on a terminal.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/files.h>
#include <nouq/model.h>
#include <nouq/prediction.h>

#include "config/option_table.h"
#include "output.h"

namespace nouq::cli {

struct Question {
  Array<float> inputs;
  Grid grid;                    // of the inputs; where a file does not say, over the model's domain
  std::optional<DataSet> data;  // with law and bounds, and the truth where it is known
};

// What is wanted besides the inputs. A solver is run for it only when there is no other way: for the truth
// of a built-in problem, and for the law of one that has no formula for it.
struct Wanted {
  bool law = false;
  bool cheap_law = false;  // only where a formula gives it
  bool truth = false;
};

// From exactly one of the two: a file, or words NAME=VALUE.
Question question_of(const std::filesystem::path& input, const std::vector<std::string>& parameters,
                     const Model& model, const Wanted& wanted);

// Whether the variance or the trust of an answer depends on how much it violates the model's law.
bool listens_to_law(const Model& model);

// How sigma is sized: empty for what the model has. Model::sized says what the names mean.
void add_sizing_option(OptionTable& table, std::string& sizing);
Model load_sized(const std::filesystem::path& path, const std::string& sizing);

// An input channel that leaves the range of the training data.
struct OutOfRange {
  std::string channel;
  double low = 0, high = 0;  // of the training data
  double share = 0;          // of the points that leave it
};
std::vector<OutOfRange> out_of_range(const Model& model, const Array<float>& inputs);

// mean, std and, where they exist, samples, band, trust_score, trust_verdict and what each witness says. A
// band that the model has but that would cover nothing here (after a projection, on another grid) is left out
// with a note.
std::vector<NamedArray> answer_arrays(const Model& model, const std::string& projection, const Prediction& p,
                                      const std::vector<Trust>& trusts, const Output& output);

// A line for each of the first samples, and reasons for what is not in-domain.
void print_answer(const Prediction& p, const std::vector<Trust>& trusts, const Output& output);

}  // namespace nouq::cli
