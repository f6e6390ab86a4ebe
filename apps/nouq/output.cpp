#include "output.h"

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
  return known ? size.ws_col : 80;
}

void Output::result(const Json& value) const {
  if (json_) write_to_standard_output(value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void Output::write_result(std::string_view text) { write_to_standard_output(text); }

void Output::write_message(std::string_view line) {
  const std::string safe = plot::printable(line);  // it may quote a file
  std::fprintf(stderr, "%s\n", safe.c_str());
}

}  // namespace nouq::cli
