// nouq predict --steps: a model of a time step, applied again and again.
#pragma once

#include <filesystem>
#include <optional>

#include <nouq/rollout.h>

#include "output.h"
#include "plot/figure.h"

namespace nouq::cli {

struct RolloutQuestion {
  std::filesystem::path model, input, output, figure;
  RolloutSettings settings;
  bool plot = false;
  Index shown = 0;
};

void predict_rollout(const RolloutQuestion& question, const Model& model, Output& output);

// To the file, the terminal, or both.
void draw_figure(const std::filesystem::path& file, bool terminal, const plot::Figure& figure,
                 const Output& output);

}  // namespace nouq::cli
