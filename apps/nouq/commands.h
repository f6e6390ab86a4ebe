// The commands of the tool: each adds itself to the parser and runs from there. Adding one is one file and
// one line in main.
//
// Contract: results go to standard output, everything else to standard error. A command throws nouq::Error;
// main turns it into one line and the exit code (2: the user can mend it, 1: it failed).
#pragma once

#include <CLI/CLI.hpp>

namespace nouq::cli {

void add_demo(CLI::App& app);
void add_problems(CLI::App& app);
void add_metrics(CLI::App& app);

}  // namespace nouq::cli
