#include "output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <sys/ioctl.h>

#include "core/error.h"
#include "plot/typesetting.h"

namespace nouq::cli {
void write_to_standard_output(std::string_view text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw_failure("cannot write to standard output: {}", std::generic_category().message(errno));
}

std::size_t terminal_columns(int descriptor) {
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::min<std::size_t>(size.ws_col, 1000) : 80;
}

void Output::result(const Json& value) const {
  if (json_) write_to_standard_output(value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void Output::write_result(std::string_view text) { write_to_standard_output(text); }

void Output::write_message(std::string_view line) {
  const std::string safe = plot::printable(line);  // it may quote a file
  std::fprintf(stderr, "%s\n", safe.c_str());
}

namespace fs = std::filesystem;

void require_free_output(const std::string& option, const fs::path& output,
                         const std::vector<fs::path>& inputs) {
  if (output.empty()) return;
  std::error_code error;
  const fs::file_status status = fs::status(output, error);
  require(!error || status.type() == fs::file_type::not_found, "{} {}: {}", option, output.string(),
          error.message());
  require(!fs::is_directory(status), "{} {}: is a folder; name a file, as in {}", option, output.string(),
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
  std::error_code unknown;
  const auto whole = [&](const fs::path& path) {
    return fs::weakly_canonical(fs::absolute(path, unknown), unknown);
  };
  const bool same = whole(first) == whole(second);
  require(unknown || !same, "{} and {} are the same file, {}: name two", first_option, second_option,
          second.string());
}

void require_folder(const std::string& option, const fs::path& output) {
  const fs::path folder = output.parent_path();
  std::error_code ignored;
  require(folder.empty() || fs::is_directory(folder, ignored), "{} {}: there is no folder {}; make it first",
          option, output.string(), folder.string());
}

}  // namespace nouq::cli
