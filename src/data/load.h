// Data sets from files and into files, whatever the format.
//
// Why: a user has "a file". Loading looks at the contents (never the name) to find out what it is; saving
// goes by the name's ending: .npz, .h5 or .hdf5. Contract: a loaded set has passed `validate`; errors name
// file, array and sample.
#pragma once

#include <filesystem>

#include "data/data_set.h"
#include "data/load_report.h"

namespace nouq {

DataSet load_data_set(const std::filesystem::path& path, LoadReport* report = nullptr);
void save_data_set(const std::filesystem::path& path, const DataSet& data);

// Throws when `save_data_set` could not save there, as far as that can be known before the work is done: the
// name's ending, and the folder.
void require_savable(const std::filesystem::path& path);

}  // namespace nouq
