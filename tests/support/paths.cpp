#include "support/paths.h"

namespace nouq::test {

// The only file that knows paths, so that the others compile to the same object in every checkout.
std::string source_dir() { return NOUQ_SOURCE_DIR; }
std::string golden_dir() { return NOUQ_SOURCE_DIR "/tests/golden"; }
std::string tool() { return NOUQ_TOOL; }
std::string tool_without_study() { return NOUQ_TOOL_WITHOUT_STUDY; }
std::string test_python() { return NOUQ_TEST_PYTHON; }

}  // namespace nouq::test
