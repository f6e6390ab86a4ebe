// Where a command may write: checked before the work, not after it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nouq::cli {

// Throws when the output is a folder or one of the command's own inputs. Empty paths are passed over.
void require_free_output(const std::string& option, const std::filesystem::path& output,
                         const std::vector<std::filesystem::path>& inputs);
// Throws when two outputs of a command are one file. Empty paths are passed over.
void require_two_files(const std::string& first_option, const std::filesystem::path& first,
                       const std::string& second_option, const std::filesystem::path& second);
// Throws when the folder of the output is missing. An empty path is passed over.
void require_folder(const std::string& option, const std::filesystem::path& output);

}  // namespace nouq::cli
