// Runs Python, for tests that exchange files with it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "support/paths.h"

namespace nouq::test {

inline bool has_numpy() { return !test_python().empty(); }

inline bool run_python(const std::string& arguments) {
  return std::system(fmt::format("{} {}", test_python(), arguments).c_str()) == 0;
}

// Every Python snippet of a page of the documentation, as it stands, in a folder.
inline bool run_snippets(const std::string& page, const std::filesystem::path& folder) {
  return run_python(fmt::format("-B {0}/tests/data/python/run_snippets.py {1} {0}/docs/{2}", source_dir(),
                                folder.string(), page));
}

}  // namespace nouq::test
