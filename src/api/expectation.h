// What a model expects of inputs that could be run: how wrong it is there, and which of them are alike.
//
// Alike are inputs that are near each other and whose solutions, as the model sees them, are near. Near
// inputs: in their parameters, where these say all of the inputs, else in the network's pooled hidden
// channels. Of the solutions a sketch is kept (Achlioptas, "Database-friendly random projections", 2003),
// whose distances are nearly theirs.
#pragma once

#include <vector>

#include <nouq/data.h>
#include <nouq/model.h>
#include <nouq/trust.h>

namespace nouq {

struct Expectation {
  std::vector<double>
      error;  // sized sigma over the field, per channel in units of how much the channel varies
  std::vector<double> doubt;  // the trust score where that is above 1, else 1
  std::vector<double> size;   // of the solution, in the same units as the error
  std::vector<Verdict> verdicts;
  Array<double> places;    // [inputs, coordinates]
  Array<double> sketches;  // [inputs, numbers]
};

Expectation expectation_of(const Model& model, const DataSet& inputs, int threads);

}  // namespace nouq
