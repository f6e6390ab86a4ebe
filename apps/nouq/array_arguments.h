// Arrays as one names them on a command line, written by any framework.
//
//   m.npy            the one array of the file
//   answer.npz       of several arrays the one with the customary name, e.g. "mean"
//   answer.npz:mu    the array called mu
//
// Contract: arrays come as double; the file's format is found from its contents (nouq/files.h). Errors
// begin with the option and name the file.
#pragma once

#include <string>
#include <vector>

#include "core/array.h"

namespace nouq::cli {

struct ArrayArgument {
  std::string path;
  std::string name;  // empty: not said
};

// A path that exists is taken as it is, even with a colon in it.
ArrayArgument parse_array_argument(const std::string& word);

// `customary`: names to look for when none is said; `label` begins messages: "--mean".
Array<double> read_array(const std::string& word, const std::vector<std::string>& customary,
                         const std::string& label);

// Throws when a value is not finite, or below `least`, naming it, the sample (first axis) and the element.
void require_finite(const Array<double>& values, const std::string& what);
void require_not_negative(const Array<double>& values, const std::string& what);

}  // namespace nouq::cli
