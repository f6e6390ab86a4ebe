// EXPECT_ERROR(statement, "substring"): the statement throws nouq::Error and the message contains the text.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace nouq::test {

template <class Action>
testing::AssertionResult throws_error(Action&& action, const std::string& text) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find(text) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "message is: " << message << "\nexpected in it: " << text;
  }
  return testing::AssertionFailure() << "nothing was thrown, expected an Error with: " << text;
}

}  // namespace nouq::test

#define EXPECT_ERROR(statement, text) EXPECT_TRUE(::nouq::test::throws_error([&] { statement; }, text))
