// One solver run, read and brought into the layout of a data set.
#pragma once

#include "data/import.h"

namespace nouq {

struct Run {
  Grid grid;    // coordinates may be missing: they are then made up for all runs alike
  Shape shape;  // points along each axis of the grid
  std::vector<Channel> input_channels;  // none when the inputs are the parameters
  std::vector<Channel> output_channels;
  std::vector<float> inputs;  // [axes..., channels]
  std::vector<float> outputs;
  std::map<std::string, Array<double>> constraints;
};

Run read_run(const std::filesystem::path& file, const ImportOptions& options);

}  // namespace nouq
