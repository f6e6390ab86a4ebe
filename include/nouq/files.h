// Plain arrays in files, by name: what solvers and other frameworks write, and what predictions are written
// as.
//
// When: arrays that are no data set (those have nouq/data.h): a prediction made elsewhere, right-hand sides
// of a law, an answer to keep.
//
//   const auto file = nouq::open_arrays("run.npz");
//   const nouq::Array<double> u = file->read("u");
//   nouq::write_arrays("answer.npz", {{"mean", mean}, {"std", deviation}});
//
// Contract: NPY (one array, called "data"), NPZ and HDF5 (arrays with names), CSV (columns with names;
// without a header one matrix called "data"); the first bytes say which. Everything comes as double. Files
// are not trusted: a damaged one is refused with the reason.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/data.h>
#include <nouq/error.h>
#include <nouq/export.h>

namespace nouq {

struct NamedArray {
  std::string name;
  Array<double> values;
};

// NAME.npz or NAME.h5 / .hdf5; the same arrays give the same bytes; replaced in one step.
NOUQ_API void write_arrays(const std::string& path, const std::vector<NamedArray>& arrays);

// A file of arrays, open for reading. While one of HDF5 is open its thread must open no other HDF5 file.
class RunFile {
 public:
  virtual ~RunFile() = default;
  // In the order of the file.
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  [[nodiscard]] virtual bool has(const std::string& name) const = 0;
  // Throws when there is none, or when it does not hold numbers.
  [[nodiscard]] virtual Array<double> read(const std::string& name) const = 0;
};

NOUQ_API std::unique_ptr<RunFile> open_arrays(const std::string& path);

// Inputs without solutions, as questions and the diversity of outputs take them.
struct InputFile {
  Array<float> inputs;          // [n, axes..., channels]
  std::optional<DataSet> data;  // where the file is a data set
};

// The inputs of a data set, an array 'inputs', or the only array there is.
NOUQ_API InputFile read_inputs(const std::string& path);

}  // namespace nouq
