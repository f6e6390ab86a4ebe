// A study of seconds, and an observer that counts and stops it.
#pragma once

#include "paper/run_study.h"

namespace nouq::test {

using namespace nouq::paper;  // NOLINT: a header of tests only

inline StudyOptions small_study(Index epochs) {
  StudyOptions o;
  o.epochs = epochs;
  o.samples = 25;
  o.test_samples = 3;
  o.count = 2;
  o.grid = {.width = {4}, .rate = {1e-3}, .dropout = {0.1}, .strength = {0.1, 1}};
  return o;
}

struct Counting final : FitObserver {
  void on_start(std::span<const double> costs, Index /*epochs*/) override { started += std::ssize(costs); }
  void on_epoch(Index /*n*/, const EpochRecord& /*r*/, Index /*b*/) override { ++epochs; }
  bool should_stop() override { return epochs >= limit; }
  Index started = 0, epochs = 0, limit = 1000;
};

// A study of one case.
inline bool run_case(const StudyOptions& o, const StudyCase& study_case, const StudyPlaces& places,
                     FitObserver* observer = nullptr) {
  FitObserver nobody;
  return run_study(o, {study_case}, places, observer == nullptr ? nobody : *observer);
}

}  // namespace nouq::test
