// Configuration files: option tables from TOML, and back.
//
// Why: a study is repeated from a file, not from memory. A file has one table per command, [generate] and so
// on, and each key is the name of an option. When: --config and --print-config of the tool; presets of
// studies. Contract of reading: nothing is passed over. A table or key that is unknown, stands twice, has the
// wrong type or is out of range is refused with file, line and, for names, the nearest valid one. Contract of
// writing: what is written reads back to the same values.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/option_table.h"

namespace nouq {

// Sets the options of `tables` from the text; `source` stands for the file's name in messages. Returns the
// names of the tables that the text has.
std::vector<std::string> apply_toml(std::string_view text, const std::string& source,
                                    std::span<const OptionTable* const> tables);
std::vector<std::string> load_toml(const std::filesystem::path& path,
                                   std::span<const OptionTable* const> tables);

// The same for text that is the table itself: keys without a heading, or all under that of the table.
void apply_toml_keys(std::string_view text, const std::string& source, const OptionTable& table);

// The table with the values now in effect, each under its help line. What is not set stands as a comment.
std::string to_toml(const OptionTable& table);

}  // namespace nouq
