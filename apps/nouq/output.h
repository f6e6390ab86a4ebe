// What a command has to say, where it goes, and where a command may write files: checked before the work, not
// after it.
//
// Contract: standard output holds the result and nothing else: text for people, or with --json one JSON
// value. Messages go to standard error, and with --quiet nowhere. A result that could not be written (a full
// disk) is a failure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/json_types.h"

namespace nouq::cli {

using Json = OrderedJson;

class Output {
 public:
  Output(bool quiet, bool json) : quiet_(quiet), json_(json) {}

  [[nodiscard]] bool quiet() const { return quiet_; }
  [[nodiscard]] bool json() const { return json_; }

  // A part of the result, for people.
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) const {
    if (!json_) write_result(fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  // The whole result, for programs.
  void result(const Json& value) const;
  // A line for people about what is going on.
  template <class... Arguments>
  void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) const {
    if (!quiet_) write_message(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

 private:
  static void write_result(std::string_view text);
  static void write_message(std::string_view line);

  bool quiet_;
  bool json_;
};

// To standard output whatever the options: help, scripts, configurations. Throws when it cannot be written.
void write_to_standard_output(std::string_view text);

// How wide the terminal behind a file descriptor is, 1000 at most; 80 when there is none.
std::size_t terminal_columns(int descriptor);

// Throws when the output is a folder or one of the command's own inputs. Empty paths are passed over.
void require_free_output(const std::string& option, const std::filesystem::path& output,
                         const std::vector<std::filesystem::path>& inputs);
// Throws when two outputs of a command are one file. Empty paths are passed over.
void require_two_files(const std::string& first_option, const std::filesystem::path& first,
                       const std::string& second_option, const std::filesystem::path& second);
// Throws when the folder of the output is missing. An empty path is passed over.
void require_folder(const std::string& option, const std::filesystem::path& output);

}  // namespace nouq::cli
