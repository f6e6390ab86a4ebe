// Where a command may write: checked before the work, not after it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nouq::cli {

// Throws when the output is a folder or one of the command's own inputs. Empty paths are passed over.
void require_free_output(const std::string& option, const std::filesystem::path& output,
                         const std::vector<std::filesystem::path>& inputs);

}  // namespace nouq::cli
