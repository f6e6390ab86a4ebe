// HDF5: a data set in the format large simulations use. docs/data-format.md describes the layout, and how
// PDEBench's files are mapped to a data set.
//
// Why: PDEBench and most simulation codes write it. When: your own files, or files from a source you
// trust; malicious files have exploited faults of libhdf5 itself, so ask for NPZ otherwise. Contract: what
// was saved is loaded bit for bit; a loaded set has passed `validate`. Present only when built with HDF5
// (NOUQ_HAVE_HDF5).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include <nouq/data.h>

#include "data/file_format.h"

namespace nouq {

DataSet load_hdf5(const std::filesystem::path& path, LoadReport* report = nullptr);
void save_hdf5(const std::filesystem::path& path, const DataSet& data);

// The same from bytes in memory; `source` stands for the file's name in messages.
DataSet read_hdf5(std::span<const std::byte> file, const std::string& source, LoadReport* report = nullptr);

}  // namespace nouq
