// Tests of commands around a model: a small data set of the porous medium equation, d.npz, and trainings of a
// second on it.
#pragma once

#include "cli/tool_test.h"

namespace nouq::test {

class SmallModelTest : public ToolTest {
 protected:
  SmallModelTest() {
    EXPECT_EQ(tool({"generate", "pme", "--grid", "16x8", "-n", "30", "-o", "d.npz"}).code, 0);
  }
  // `data` first; more options, or the same again, after what makes it small.
  [[nodiscard]] Outcome train_on(const std::string& data, const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"train", data,      "--width", "4",         "--modes",
                                      "4,3",   "--count", "3",       "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return tool(words);
  }
  [[nodiscard]] Outcome train(const std::vector<std::string>& more) const { return train_on("d.npz", more); }
};

// Whether what a command says on standard error has these words in it.
inline testing::AssertionResult says(const Outcome& outcome, const std::string& words) {
  if (outcome.errors.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << words << "' is not in: " << outcome.errors;
}

}  // namespace nouq::test
