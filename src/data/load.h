// Data sets from files and into files, whatever the format.
//
// Why: a user has "a file". Loading looks at the contents (never the name) to find out what it is; saving
// goes by the name's ending: .npz, .h5 or .hdf5. Contract: a loaded set has passed `validate`; errors name
// file, array and sample.
#pragma once

#include <filesystem>
#include <optional>

#include <nouq/data.h>
#include <nouq/files.h>  // InputFile

#include "data/file_format.h"

namespace nouq {

DataSet load_data_set(const std::filesystem::path& path, LoadReport* report = nullptr);
void save_data_set(const std::filesystem::path& path, const DataSet& data);

// Throws when `save_data_set` could not save there, as far as that can be known before the work is done: the
// name's ending, and the folder.
void require_savable(const std::filesystem::path& path);

// Inputs without solutions, from a file: for questions, and for the kinds of diversity that look at outputs.
// The inputs of a data set, an array 'inputs', or the only array there is.
InputFile load_inputs(const std::filesystem::path& path);

}  // namespace nouq
