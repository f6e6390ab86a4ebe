// The message of the Error that an action throws; empty when it throws none.
#pragma once

#include <string>

#include "core/error.h"

namespace nouq::test {

template <class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace nouq::test
