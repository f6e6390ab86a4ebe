// Values that are more than a number or a name, as one writes them on a command line; among them arrays that
// any framework wrote:
//
//   m.npy            the one array of the file
//   answer.npz       of several arrays the one with the customary name, e.g. "mean"
//   answer.npz:mu    the array called mu
//
// Contract: arrays come as double; the file's format is found from its contents (nouq/files.h). Errors begin
// with the option and name the file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/problem.h>

namespace nouq::cli {

// "0.5", finite; nothing when it is something else.
std::optional<double> find_number(const std::string& text);
// "2:3". `label` begins messages: "--range".
ParameterRange parse_range(const std::string& text, const std::string& label);
// "64x32".
std::vector<Index> parse_extents(const std::string& text, const std::string& label);
// A finite number.
double parse_number(const std::string& text, const std::string& label);
// "name=value" each, where the name is the problem's parameter or its symbol.
std::vector<double> parse_parameters(const std::vector<std::string>& texts, const Problem& problem);
// "name=value", each name once.
std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& texts,
                                               const std::string& label);
// "name" or "name:unit"; what stands after the first colon is the second.
std::pair<std::string, std::string> split_once(const std::string& text, char separator);

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
