// A data set: pairs of input and output fields on one grid, with everything needed to understand them later.
//
// Why: training, evaluation and projection all take this one type, whatever file or solver it came from.
// Contract: `validate` holds for every DataSet the library hands out: shapes agree, all values are finite, at
// least one sample. Fields are float32 (what the network computes in); parameters and constraint values are
// double.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/array.h"
#include "core/grid.h"
#include "data/laws.h"

namespace nouq {

struct Channel {
  std::string name;
  std::string unit;
  friend bool operator==(const Channel&, const Channel&) = default;
};

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
  std::map<std::string, std::string> provenance;           // free text: problem, seed, range, version, ...

  [[nodiscard]] Index size() const { return inputs.rank() == 0 ? 0 : inputs.extent(0); }
  friend bool operator==(const DataSet&, const DataSet&) = default;
};

// The outputs in double, as metrics and calibrations take them.
Array<double> truth_of(const DataSet& data);

// The laws that the values are there for, with that of "mass".
Laws laws_of(const DataSet& data);

// Throws an Error that names `source` (a file, "training data", ...), the array and the sample that is wrong.
void validate(const DataSet& data, const std::string& source);
// Its grid alone: at least one axis, coordinates finite and increasing.
void validate(const Grid& grid, const std::string& source);

// Throws unless there are at least `needed` samples. `validate` asks for one; training asks for more, and
// says for what in `purpose` (e.g. "training with a batch of 20").
void require_samples(const DataSet& data, Index needed, const std::string& purpose,
                     const std::string& source);

// The samples with the given indices, in that order; an index may appear more than once. Throws when one is
// out of range or when there is none.
DataSet select(const DataSet& data, const std::vector<Index>& samples);

}  // namespace nouq
