// Where a test finds the project's files and the programs it starts.
#pragma once

#include <string>

namespace nouq::test {

std::string source_dir();          // of the project
std::string golden_dir();          // arrays computed with the authors' code
std::string tool();                // the command line tool
std::string tool_without_study();  // the same, built without src/paper
std::string test_python();         // an interpreter with numpy and h5py; empty when there is none

}  // namespace nouq::test
