// Tests of commands: what the tool answers, and how it refuses.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/tool.h"

namespace nouq::test {

class ToolTest : public testing::Test {
 protected:
  // The result with --json, which must be all of standard output.
  [[nodiscard]] nlohmann::json result(std::vector<std::string> words) const {
    words.insert(words.end(), {"--json", "--quiet"});
    const Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "") << "with --quiet";
    return outcome.code == 0 ? nlohmann::json::parse(outcome.output) : nlohmann::json();
  }
  // The message of a command that must refuse.
  [[nodiscard]] std::string mistake(const std::vector<std::string>& words) const {
    const Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.output, "");
    return outcome.errors;
  }
  Tool tool;
};

}  // namespace nouq::test
