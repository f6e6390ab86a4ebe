// Commands that are killed without warning in the middle of their work go on to the same file, byte for byte.
#include <chrono>
#include <csignal>
#include <thread>

#include "cli/small_model_test.h"

namespace nouq {
namespace {

using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

class Kill : public test::SmallModelTest, public testing::WithParamInterface<Words> {
 protected:
  [[nodiscard]] Words command(const std::string& output) const {
    Words words = GetParam();
    words.insert(words.end(), {"--modes", "4,3", "--quiet", "--threads", "1", "-o", output});
    return words;
  }
  // Whether it was still running when it was killed.
  [[nodiscard]] bool kill_after(Clock::duration time, const Words& words) const {
    const pid_t child = fork();
    if (child == 0) tool.execute(words);
    std::this_thread::sleep_for(time);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
  }
};

// Each kill comes a sixth of the whole run's time after its start: four leave a third of the work.
TEST_P(Kill, LeavesWorkToGoOnFrom) {
  const auto start = Clock::now();
  ASSERT_EQ(tool(command("whole.nouq")).code, 0);
  const Clock::duration whole = Clock::now() - start;
  int killed = 0;
  for (int i = 0; i < 4; ++i) killed += kill_after(whole / 6, command("killed.nouq")) ? 1 : 0;
  EXPECT_GE(killed, 3) << "the run was over before it could be killed: make it longer";
  EXPECT_FALSE(std::filesystem::exists(tool / "killed.nouq"));
  EXPECT_FALSE(std::filesystem::is_empty(tool / "killed.nouq.training")) << "there is nothing to go on from";
  ASSERT_EQ(tool(command("killed.nouq")).code, 0);
  EXPECT_TRUE(test::read_all(tool / "killed.nouq") == test::read_all(tool / "whole.nouq"));
}

// Long enough that a sixth of it is more than the start of the program.
const std::vector<Words> commands = {
    {"train", "d.npz", "--width", "4", "--count", "3", "--epochs", "200"},
    {"train", "d.npz", "--width", "4", "--count", "3", "--epochs", "80", "--method", "ensemble"},
    {"select", "d.npz", "--widths", "4,6", "--rates", "1e-3,1e-2", "--strengths", "0.1", "--count", "3",
     "--epochs", "60"}};
const std::vector<std::string> names = {"diverse", "ensemble", "selection"};

INSTANTIATE_TEST_SUITE_P(Commands, Kill, testing::ValuesIn(commands),
                         [](const auto& one) { return names.at(one.index); });

}  // namespace
}  // namespace nouq
