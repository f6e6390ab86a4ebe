// Commands that are killed without warning in the middle of their work go on to the same file, byte for byte.
#include <chrono>
#include <csignal>
#include <thread>

#include "cli/small_model_test.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// When a file below the folder was last written; files may come and go meanwhile.
fs::file_time_type last_written(const fs::path& folder) {
  fs::file_time_type time = fs::file_time_type::min();
  std::error_code end, gone;
  fs::recursive_directory_iterator file(folder, end);
  for (; !end && file != fs::recursive_directory_iterator(); file.increment(end))
    time = std::max(time, file->last_write_time(gone));
  return time;
}

class Kill : public test::SmallModelTest, public testing::WithParamInterface<Words> {
 protected:
  [[nodiscard]] Words command(const std::string& output) const {
    Words words = GetParam();
    words.insert(words.end(), {"--modes", "4,3", "--quiet", "--threads", "1", "-o", output});
    return words;
  }
  // Kills it when it has written checkpoints a few times, some time into the next epoch: after what it did,
  // not after a time that a busy machine may not have given it. Whether it was still running then.
  [[nodiscard]] bool kill_at_work(std::chrono::microseconds later) const {
    const pid_t child = fork();
    if (child == 0) tool.execute(command("killed.nouq"));
    await_checkpoints(child, 5);
    std::this_thread::sleep_for(later);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
  }

 private:
  // Or until the child ends.
  void await_checkpoints(pid_t child, int wanted) const {
    const fs::path folder = tool / "killed.nouq.training";
    auto seen = last_written(folder);
    siginfo_t ended = {};
    while (wanted > 0 && ended.si_pid == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      const auto now = last_written(folder);
      wanted -= now != seen ? 1 : 0;
      seen = now;
      waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
    }
  }
};

TEST_P(Kill, LeavesWorkToGoOnFrom) {
  ASSERT_EQ(tool(command("whole.nouq")).code, 0);
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(kill_at_work(std::chrono::microseconds(700 * i)))
        << "the run was over before it could be killed: make it longer";
  EXPECT_FALSE(fs::exists(tool / "killed.nouq"));
  EXPECT_FALSE(fs::is_empty(tool / "killed.nouq.training")) << "there is nothing to go on from";
  ASSERT_EQ(tool(command("killed.nouq")).code, 0);
  EXPECT_TRUE(test::read_all(tool / "killed.nouq") == test::read_all(tool / "whole.nouq"));
}

// Long enough for four kills, of which each sees a few of the epochs.
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
