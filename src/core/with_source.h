// Names the file in an error of a check that does not know which file it works for.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"

namespace nouq {

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
