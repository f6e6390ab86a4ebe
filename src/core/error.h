// The one exception family of the library.
//
// Why: a user must learn from a message alone what was wrong and what to do. So every message names the
// thing, the value it had and what was expected. When: throw through `fail` (bad input, the user can mend it)
// or `fail_internally` (the machine or we failed: disk full, diverged training). The library never prints,
// exits or aborts. Contract: nothing else is thrown across the library's interfaces, save std::bad_alloc.
#pragma once

#include <utility>

#include <fmt/format.h>
#include <nouq/error.h>  // class Error, which users catch

namespace nouq {

template <class... Arguments>
[[noreturn]] void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw Error(Error::Kind::user, fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
[[noreturn]] void fail_internally(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw Error(Error::Kind::failure, fmt::format(format, std::forward<Arguments>(arguments)...));
}

// Throws a user error unless the condition holds. The message is only formatted when it is needed.
template <class... Arguments>
void require(bool condition, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (!condition) [[unlikely]] {
    fail(format, std::forward<Arguments>(arguments)...);
  }
}

}  // namespace nouq
