// Inputs without solutions, from a file: for questions, and for the kinds of diversity that look at outputs.
#pragma once

#include <filesystem>

#include <nouq/files.h>  // InputFile

#include "data/data_set.h"

namespace nouq {

// The inputs of a data set, an array 'inputs', or the only array there is.
InputFile load_inputs(const std::filesystem::path& path);

}  // namespace nouq
