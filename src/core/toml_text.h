// Reading TOML that anyone may have written, in one place: the tool's configuration and files of constraints.
//
// Why not toml::parse alone: the library has points it declares unreachable which letters of other scripts
// outside quotes do reach. Such text is not TOML anyway and is refused here, with its line, before it gets
// there. Contract: throws nouq::Error that names source and line, also for text above a megabyte.
#pragma once

#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace nouq {

toml::table parse_toml(std::string_view text, const std::string& source);

}  // namespace nouq
