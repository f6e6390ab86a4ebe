// Settings as Python sees them: keywords with types and defaults, the stub of a function, its docstring.
//
// Contract: a keyword is the option's identifier, with an underscore behind it where Python has the word for
// itself (from_); the default stands in the signature where there is one,
// None where a value may be left out.
#pragma once

#include <string>
#include <vector>

#include "config/option_table.h"

namespace nouq {

// weight-decay is weight_decay, from is from_.
std::string python_name(const Option& option);
// "epochs: int = 200", one per option, in the order of the table.
std::vector<std::string> python_keywords(const OptionTable& table);
// The keywords as the lines of a stub, each indented and followed by a comma.
std::string python_stub(const OptionTable& table);
// For a docstring: under each group's heading, a line per keyword with what it means and may be.
std::string python_documentation(const OptionTable& table);

}  // namespace nouq
