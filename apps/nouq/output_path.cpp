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

void require_two_files(const std::string& first_option, const fs::path& first,
                       const std::string& second_option, const fs::path& second) {
  if (first.empty() || second.empty()) return;
  // Neither need be there yet, so their names are compared, without links and dots.
  require(fs::weakly_canonical(fs::absolute(first)) != fs::weakly_canonical(fs::absolute(second)),
          "{} and {} are the same file, {}: name two", first_option, second_option, second.string());
}

void require_folder(const std::string& option, const fs::path& output) {
  const fs::path folder = output.parent_path();
  require(folder.empty() || fs::is_directory(folder), "{} {}: there is no folder {}; make it first", option,
          output.string(), folder.string());
}

}  // namespace nouq::cli
