// The one exception family of the library.
//
// Why: a user must learn from a message alone what was wrong and what to do. So every message names the
// thing, the value it had and what was expected. When: throw through `fail` (bad input, which the user can
// correct) or `throw_failure` (the request was fine, doing it failed: disk full, diverged training). The
// library never prints, exits or aborts. Contract: nothing else is thrown across the library's interfaces,
// save std::bad_alloc.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nouq/error.h>  // class Error, which users catch

namespace nouq {

template <class... Arguments>
[[noreturn]] void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw Error(Error::Kind::user, fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
[[noreturn]] void throw_failure(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw Error(Error::Kind::failure, fmt::format(format, std::forward<Arguments>(arguments)...));
}

// Throws a user error unless the condition holds. The message is only formatted when it is needed.
template <class... Arguments>
void require(bool condition, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (!condition) [[unlikely]] {
    fail(format, std::forward<Arguments>(arguments)...);
  }
}

// Names the file in an error of a check that does not know which file it works for.
// Runs the action; an Error out of it is thrown again with "<source>: " in front, unless it has that already.
template <class Action>
decltype(auto) with_source(const std::string& source, Action&& action) {
  try {
    return std::forward<Action>(action)();
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(source)) throw;
    throw Error(error.kind(), fmt::format("{}: {}", source, error.what()));
  }
}

}  // namespace nouq
