// Which runs of the solver to do next: those that are expected to lower the error of the surrogate most.
//
//   const nouq::Model model = nouq::Model::load("mine.nouq");
//   const nouq::InputParameters parameters(model);
//   const auto values = nouq::points_in(parameters, {{"m", 1, 6}}, 512, "sobol");
//   for (const nouq::Suggestion& s : nouq::suggest(model, parameters.question(values), {.count = 8}))
//     run_my_solver(values.row(s.candidate));
//
// Each candidate has an expected error: the sized standard deviation over its field, per channel in units of
// how much the channel varies among the candidates, and times the trust score where that is above one, which
// hears the law and how new the input is. A run teaches about its neighbours, too: errors are correlated
// where inputs are near each other and their solutions, as the model sees them, are. Near are inputs in their
// parameters or, where these do not say all of the inputs, in the hidden channels of the network; either is
// measured in units of its median distance. The next run is the one that takes most away from the sum of all
// relative errors, given the runs that there are and those chosen before it (the integrated variance of
// Sacks, Welch, Mitchell and Wynn, "Design and Analysis of Computer Experiments", 1989); so eight suggestions
// are not eight neighbours. Contract: a function of its arguments; threads do not matter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/input_parameters.h>
#include <nouq/model.h>
#include <nouq/trust.h>

namespace nouq {

struct SuggestSettings {
  Index count = 8;
  int threads = 0;  // 0: all cores
  // Runs that are there already, or on their way: inputs, and parameters where the candidates have them. What
  // they teach about their neighbours need not be learnt again.
  const DataSet* runs = nullptr;
};

struct Suggestion {
  Index candidate = 0;
  double error = 0;  // expected, before any of the runs
  double gain =
      0;  // share of the sum of expected relative errors that this run takes away, after those before
  Verdict verdict = Verdict::in_domain;
};

// In the order in which the runs are best done. Candidates are data without solutions: inputs, and parameters
// and values of laws where they are known; they need not be on the trained grid. At most 4096.
NOUQ_API std::vector<Suggestion> suggest(const Model& model, const DataSet& candidates,
                                         const SuggestSettings& settings = {});

// Where a model is to be good: of one of its parameters.
struct AskedRange {
  std::string name;  // or symbol
  double low = 0, high = 0;
};

// How points fill a box: "sobol", a sequence of low discrepancy that a seed other than 0 shifts; "random",
// independent and uniform.
NOUQ_API std::vector<std::string> design_names();
// [count, parameters] within the ranges, one for every parameter of the model.
NOUQ_API Array<double> points_in(const InputParameters& parameters, const std::vector<AskedRange>& ranges,
                                 Index count, const std::string& design = "sobol", std::uint64_t seed = 0);

}  // namespace nouq
