// Values that are more than a number or a name, as one writes them on a command line.
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

}  // namespace nouq::cli
