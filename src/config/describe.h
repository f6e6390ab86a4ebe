// The words for an option, shared by help, manual page, reference and completion.
#pragma once

#include <string>

#include "config/option_table.h"

namespace nouq {

// "-n, --samples N"; a positional one is "PROBLEM".
std::string signature(const Option& option);
// "number of samples (an integer of at least 1; 400)": the help line, what is allowed, the default.
std::string explanation(const Option& option);
// "nouq generate PROBLEM [options]".
std::string usage(const std::string& program, const OptionTable& table);
// The text in lines of at most `width` characters, each after `indent` blanks; the first line has none.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 100);
std::string in_capitals(std::string text);

}  // namespace nouq
