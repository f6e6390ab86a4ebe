// What came out of the loop with a solver: a table, a figure, JSON.
#pragma once

#include <filesystem>
#include <vector>

#include <nouq/improve.h>

#include "output.h"
#include "plot/figure.h"

namespace nouq::cli {

// Where its results went; of all runs perhaps nowhere.
struct ImprovePaths {
  std::filesystem::path model, all_runs;
};

plot::Figure improvement_figure(const std::vector<ImproveRound>& rounds, double target);
Json json_of(const Improved& done, const ImprovePaths& paths);
void say_end(const Improved& done, const ImprovePaths& paths, double target, const Output& output);

}  // namespace nouq::cli
