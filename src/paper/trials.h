// The diversity strengths that a result was chosen from.
#pragma once

#include <string>
#include <vector>

#include "paper/result_store.h"

namespace nouq::paper {

struct TriedStrength {
  double strength = 0;
  double validation_mse = 0;  // not a number where the training diverged
  bool chosen = false;
};

// Those that were tried with the width and learning rate of the chosen one, ascending; trials of others would
// make a curve a zigzag. None where nothing was chosen.
std::vector<TriedStrength> tried_strengths(const ResultJson& run);

// How the choice is made, for captions: "the largest strength whose error ..."
std::string choice_words(double tolerance);

}  // namespace nouq::paper
