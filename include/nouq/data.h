// A data set: pairs of input and output fields on one grid, with everything needed to understand them later.
//
// Why: training, evaluation and projection all take this one type, whatever file or solver it came from.
// When: read("runs.h5"), generate("pme", {.samples = 400}), or fill one from arrays of your own:
//
//   nouq::DataSet data;
//   data.grid = {{"x", "m", nouq::linspace(0, 1, 100)}, {"t", "s", nouq::linspace(0, 1, 20)}};
//   data.input_channels = {{"k", ""}};
//   data.output_channels = {{"u", "K"}};
//   data.inputs = nouq::Array<float>({samples, 100, 20, 1});    // and fill it; outputs likewise
//   nouq::validate(data, "my solver");
//
// Contract: `validate` holds for every DataSet the library hands out: shapes agree, all values are finite, at
// least one sample. Fields are float32 (what the network computes in); parameters and constraint values are
// double.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nouq/array.h>
#include <nouq/error.h>
#include <nouq/export.h>
#include <nouq/grid.h>
#include <nouq/laws.h>

namespace nouq {

// Where data came from, as free text: problem, seed, range, version, ...
using Provenance = std::map<std::string, std::string>;

struct DataSet {
  Array<float> inputs;   // [n, axes..., input channels]
  Array<float> outputs;  // [n, axes..., output channels]
  Grid grid;
  std::vector<Channel> input_channels;
  std::vector<Channel> output_channels;
  std::vector<Channel> parameter_names;                    // one per column of `parameters`
  Array<double> parameters;                                // [n, parameters]; empty when there are none
  std::map<std::string, Array<double>> constraint_values;  // e.g. "mass": [n, times]
  Laws laws;                                               // of `constraint_values`; "mass" needs none
  std::vector<Bounds> bounds;                              // one per output channel, or none
  Provenance provenance;

  [[nodiscard]] Index size() const { return inputs.rank() == 0 ? 0 : inputs.extent(0); }
  friend bool operator==(const DataSet&, const DataSet&) = default;
};

// --- Files ---------------------------------------------------------------------------------------------

// What reading did beyond reading: conversions, defaults and things it passed over. A notice is one sentence
// that names the file and the array.
struct LoadReport {
  std::string format;  // "nouq NPZ", "nouq HDF5", "PDEBench ..."
  std::vector<std::string> notices;
};

// Reads NPZ, HDF5 or one of PDEBench's layouts; the contents say which, not the name. Files are not trusted:
// a damaged one is refused with the reason.
NOUQ_API DataSet read(const std::string& path, LoadReport* report = nullptr);
// By the ending of the name: .npz, .h5 or .hdf5.
NOUQ_API void write(const std::string& path, const DataSet& data);

// Throws when write() could not write there, as far as that can be known before the work is done: the name's
// ending, and the folder.
NOUQ_API void require_writable(const std::string& path);
// CRC-64 of the fields' values and shapes, as 16 hexadecimal digits: two data sets with the same fields have
// the same.
NOUQ_API std::string fingerprint(const DataSet& data);

// --- Parts ---------------------------------------------------------------------------------------------

struct SplitFractions {
  double train = 0.8;
  double validation = 0.1;
  double test = 0.1;
};

struct DataSplit {
  DataSet train;
  DataSet validation;  // without samples where its share is 0
  DataSet test;        // likewise
};

// A pure function of the number of samples, the shares and the seed; shares must add up to one.
NOUQ_API DataSplit split(const DataSet& data, const SplitFractions& fractions, std::uint64_t seed = 0);

// The outputs in double, as metrics and calibrations take them.
NOUQ_API Array<double> truth_of(const DataSet& data);

// The laws that the values are there for, with that of "mass".
NOUQ_API Laws laws_of(const DataSet& data);

// Throws an Error that names `source` (a file, "training data", ...), the array and the sample that is wrong.
NOUQ_API void validate(const DataSet& data, const std::string& source);
// Its grid alone: at least one axis, coordinates finite and increasing.
void validate(const Grid& grid, const std::string& source);

// Throws unless there are at least `needed` samples. `validate` asks for one; training asks for more, and
// says for what in `purpose` (e.g. "training with a batch of 20").
NOUQ_API void require_samples(const DataSet& data, Index needed, const std::string& purpose,
                              const std::string& source);

// Throws when the output of a sample is zero everywhere: the relative error, which training makes small, is
// not defined for it.
void require_relative_errors(const DataSet& data);
// The first such sample.
std::optional<Index> zero_field(const DataSet& data);

// The samples with the given indices, in that order; an index may appear more than once. Throws when one is
// out of range or when there is none.
NOUQ_API DataSet select(const DataSet& data, const std::vector<Index>& samples);

// Moves the samples with the given indices, which must increase, out of a data set; the others stay, in their
// order, and at least one must. Why not two calls of select: for a data set that fills half the memory there
// is room for the part that leaves, one array at a time, and not for a second copy.
NOUQ_API DataSet take_out(DataSet& data, const std::vector<Index>& samples);

// --- Problems ------------------------------------------------------------------------------------------

struct GenerateSettings {
  Index samples = 400;
  // Where the parameter is drawn from: the name of one of the problem's ranges, "in-domain", "small",
  // "medium" or "large" (how far from the training data), unless low and high say otherwise.
  std::string shift = "in-domain";
  std::optional<std::pair<double, double>> range = {};
  std::uint64_t seed = 0;
  std::map<std::string, std::string> options = {};  // of the problem, e.g. {{"nx", "64"}}
  Grid grid = {};                                   // empty: the problem's own
  int threads = 0;                                  // 0: all cores; the data do not depend on it
};

// Samples of a problem, built in or registered (nouq/problem.h), with its law, bounds and the recipe that
// made them.
NOUQ_API DataSet generate(const std::string& problem, const GenerateSettings& settings = {});

}  // namespace nouq
