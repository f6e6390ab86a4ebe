// Arrays by name in one file: what predictions are written as.
//
// When: results that are not a data set. Reading them back is RunFile's business (run_file.h), or numpy's and
// h5py's. Contract: NAME.npz or NAME.h5 / .hdf5; the same arrays give the same bytes; replaced in one step.
#pragma once

#include <filesystem>
#include <vector>

#include <nouq/files.h>  // NamedArray

#include "core/array.h"

namespace nouq {

void save_arrays(const std::filesystem::path& path, const std::vector<NamedArray>& arrays);

}  // namespace nouq
