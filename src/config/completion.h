// Completion of commands, options and values for the shells.
#pragma once

#include <string>
#include <vector>

#include "config/program.h"

namespace nouq {

std::vector<std::string> completion_shells();
// The script that the shell reads; throws for a shell that is not among the above.
std::string completion_script(const Program& program, const std::string& shell);

}  // namespace nouq
