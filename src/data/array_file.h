// The arrays in one file, by name: those of a solver run, to read, and predictions, to write.
//
// Why: solvers write different formats: NPY (one array, called "data"), NPZ and HDF5 (arrays with names), CSV
// (columns with names; without a header one matrix called "data"). Importing needs "the array called u".
// Contract: everything comes as double, checked as far as its format's reader checks; the format is found
// from the first bytes. While a RunFile of HDF5 is open its thread must open no other HDF5 file.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <nouq/array.h>
#include <nouq/files.h>  // RunFile, NamedArray

namespace nouq {

std::unique_ptr<RunFile> open_run_file(const std::filesystem::path& path);
#if NOUQ_HAVE_HDF5
std::unique_ptr<RunFile> open_hdf5_run_file(const std::filesystem::path& path);
#endif

// Whether the name ends like a run: .npy, .npz, .h5, .hdf5 or .csv.
bool is_run_file_name(const std::filesystem::path& path);

// What predictions are written as: results that are not a data set. A RunFile, numpy or h5py read them back.
// Contract: NAME.npz or NAME.h5 / .hdf5; the same arrays give the same bytes; replaced in one step.
void save_arrays(const std::filesystem::path& path, const std::vector<NamedArray>& arrays);

}  // namespace nouq
