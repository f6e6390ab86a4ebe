// What --help prints.
#pragma once

#include <string>

#include "config/program.h"

namespace nouq {

// The commands of the program, one line each.
std::string program_help(const Program& program);
// The options of one command.
std::string command_help(const std::string& program, const OptionTable& table);

}  // namespace nouq
