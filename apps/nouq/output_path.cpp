#include "output_path.h"

#include "core/error.h"

namespace nouq::cli {

namespace fs = std::filesystem;

void require_free_output(const std::string& option, const fs::path& output,
                         const std::vector<fs::path>& inputs) {
  if (output.empty()) return;
  require(!fs::is_directory(output), "{} {}: is a folder; name a file, as in {}", option, output.string(),
          (output / "NAME").string());
  for (const fs::path& input : inputs) {
    std::error_code ignored;
    require(input.empty() || !fs::equivalent(input, output, ignored),
            "{} {}: is one of the inputs and would be lost; name another file", option, output.string());
  }
}

}  // namespace nouq::cli
