// Results of a study as a store would have them, with numbers that a reader can check by hand.
#pragma once

#include "paper/study.h"
#include "paper/study_results.h"

namespace nouq::test {

using namespace nouq::paper;  // NOLINT: a header of tests only

inline StudyOptions small_study() {
  StudyOptions o;
  o.epochs = 3;
  o.count = 2;
  o.grid = {.width = {4}, .rate = {1e-3}, .dropout = {0.1}, .strength = {1.0}};
  return o;
}

// The error is `mse` in domain and ten times more for each shift; projections halve it.
inline ResultJson made_up_result(const StudyOptions& o, const std::string& problem, const std::string& method,
                                 std::uint64_t seed, double mse) {
  ResultJson result = {{"settings", result_settings(o, {problem, seed, {}}, method)},
                       {"parameters", method == "ensemble" ? 2000 : 1000},
                       {"prediction_flops", method == "ensemble" ? 2e6 : 1e6}};
  result["networks"] = ResultJson::array();
  const int networks = method == "ensemble" ? 2 : 1;
  for (int k = 0; k < networks; ++k)
    result["networks"].push_back({{"fingerprint", "f"}, {"best_epoch", 2}, {"seconds", 5.0}});
  result["trials"] = ResultJson::array();
  for (const double strength : o.grid.strength)
    result["trials"].push_back({{"width", 4},
                                {"rate", 1e-3},
                                {"dropout", 0.1},
                                {"strength", strength},
                                {"chosen", strength == 1.0},
                                {"validation_mse", mse}});
  for (const Shift shift : all_shifts) {
    ResultJson& range = result["ranges"][to_string(shift)];
    for (const std::string projection : {"none", "diagonal", "bounded"})
      range["metrics"][projection] = {{"mse", projection == "none" ? mse : 0.5 * mse},
                                      {"nmerci", 0.3},
                                      {"nmerci_pointwise", 0.4},
                                      {"coverage", projection == "none" ? 0.8 : 0.9},
                                      {"conservation_error", projection == "none" ? 0.1 : 0.0}};
    mse *= 10;
  }
  return result;
}

// What a result keeps of one range: a constant truth and mean; with a law for profiles, which have 100
// points.
inline ResultJson made_up_picture(std::size_t points, double truth, double mean) {
  const ResultJson ones = std::vector<double>(points, mean), variance = std::vector<double>(points, 0.25);
  ResultJson picture = {{"parameter", 1.5},
                        {"truth", std::vector<double>(points, truth)},
                        {"mean", ones},
                        {"variance", variance}};
  if (points != 100) return picture;
  picture["time"] = 0.5;
  picture["diagonal"] = picture["bounded"] = ones;
  picture["bounded_variance"] = variance;
  return picture;
}

}  // namespace nouq::test
