// PDEBench's HDF5 layouts (Takamoto et al., 2022) as a data set.
//
// The mapping, in one sentence: axes are space first and time last, the inputs are the initial values (or the
// coefficient `nu` for Darcy flow) repeated along time, the outputs are the whole trajectory.
#pragma once

#include "data/data_set.h"
#include "data/hdf5_reader.h"

namespace nouq::hdf5 {

// Whether the file has one of PDEBench's layouts.
bool is_pdebench(const Reader& file);
DataSet read_pdebench(const Reader& file, LoadReport* report);

}  // namespace nouq::hdf5
