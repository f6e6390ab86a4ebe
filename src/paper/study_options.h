// The settings of a study: what the presets in presets/ hold.
#pragma once

#include <string>
#include <vector>

#include "uq/selection.h"

namespace nouq::paper {

struct StudyOptions {
  Index epochs = 500;
  Index samples = 400;       // four fifths to train on, one to validate
  Index test_samples = 200;  // for each range
  SelectionGrid grid = {.width = {32}, .rate = {1e-3}};
  Index count = 10;  // heads, networks, masks
  // What keeps the heads of diverse apart (nn/diversity.h). The kinds that look at outputs are given inputs
  // of the small shift, without solutions: a tenth of `samples`.
  std::string diversity = "weights";
};

// What a study may ask for: of the command line, and of results, which are files and not trusted.
struct StudyLimits {
  struct Range {
    double low, high;
    [[nodiscard]] bool holds(Index value) const {
      return static_cast<double>(value) >= low && static_cast<double>(value) <= high;
    }
  };
  Range epochs{1, 1e6}, samples{25, 1e7}, test_samples{2, 1e7}, count{2, 1000};
};
inline constexpr StudyLimits study_limits;

// One problem with one seed: the data, and all methods trained on it.
struct StudyCase {
  std::string problem;
  std::uint64_t seed = 0;
  std::vector<std::string> methods;
};

}  // namespace nouq::paper
