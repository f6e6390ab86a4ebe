// Reading TOML that anyone may have written, in one place: the tool's configuration and files of constraints.
//
// Why not toml::parse alone: the library takes for granted what malformed files do not grant ("[@]", some
// letters of other scripts), which is undefined behaviour. Here its assumptions are checked and become
// errors, and it sees ASCII alone: other letters are encoded before and restored after. When: include this
// instead of <toml++/toml.h>. Contract: parse_toml throws nouq::Error that names source and, where known,
// line; also for text that is not UTF-8 or above a megabyte.
#pragma once

#include <string>
#include <string_view>

namespace nouq::detail {
[[noreturn]] void toml_assumption_failed();
}  // namespace nouq::detail

#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(expression) \
  ((expression) ? static_cast<void>(0) : ::nouq::detail::toml_assumption_failed())
// With NDEBUG the library would assume instead of asking.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace nouq {

toml::table parse_toml(std::string_view text, const std::string& source);

}  // namespace nouq
