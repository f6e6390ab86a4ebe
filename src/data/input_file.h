// Inputs without solutions, from a file: for questions, and for the kinds of diversity that look at outputs.
#pragma once

#include <filesystem>
#include <optional>

#include "data/data_set.h"

namespace nouq {

struct InputFile {
  Array<float> inputs;          // [n, axes..., channels]
  std::optional<DataSet> data;  // where the file is a data set
};

// The inputs of a data set, an array 'inputs', or the only array there is.
InputFile load_inputs(const std::filesystem::path& path);

}  // namespace nouq
