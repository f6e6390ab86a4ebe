// Tests of commands: what the tool answers, and how it refuses.
#pragma once

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/tool.h"

namespace nouq::test {

inline const std::vector<std::string> visible_commands = {
    "demo",   "problems", "methods", "metrics", "constraints", "generate", "import",    "info",      "train",
    "select", "evaluate", "predict", "project", "score",       "report",   "reproduce", "completion"};

class ToolTest : public testing::Test {
 protected:
  explicit ToolTest(std::string program = test::tool()) : tool(std::move(program)) {}

  // The result with --json, which must be all of standard output.
  [[nodiscard]] nlohmann::json result(std::vector<std::string> words) const {
    words.insert(words.end(), {"--json", "--quiet"});
    const Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "") << "with --quiet";
    return outcome.code == 0 ? nlohmann::json::parse(outcome.output) : nlohmann::json();
  }
  // A mistake of the user: code 2, one line on standard error, nothing on standard output.
  [[nodiscard]] std::string mistake(const std::vector<std::string>& words) const {
    const Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    return outcome.errors;
  }
  Tool tool;
};

}  // namespace nouq::test
