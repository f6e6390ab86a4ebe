// Programs in a group of their own: how they end, and that nothing of them stays.
#include "core/process.h"

#include <csignal>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/temporary_folder.h"
#include "support/message.h"

namespace nouq {
namespace {

using namespace std::chrono_literals;
using How = ProcessEnd::How;

class Process : public testing::Test {
 protected:
  [[nodiscard]] ProcessRequest shell(const std::string& script) const {
    ProcessRequest request;
    request.words = {"sh", "-c", script, "name", (folder_ / "file").c_str()};
    request.output = folder_ / "log";
    request.grace = 200ms;
    return request;
  }
  // Of the process whose number the script wrote; a moment is given to the system.
  [[nodiscard]] bool is_gone() const {
    std::ifstream file(folder_ / "file");
    pid_t pid = 0;
    file >> pid;
    EXPECT_GT(pid, 1);
    for (int i = 0; i < 500 && runs(pid); ++i) std::this_thread::sleep_for(10ms);
    return !runs(pid);
  }
  // One that nobody has waited for yet does not.
  static bool runs(pid_t pid) {
    const std::string status = test::read_all("/proc/" + std::to_string(pid) + "/stat");
    return ::kill(pid, 0) == 0 && status.find(") Z") == std::string::npos;
  }
  test::TemporaryFolder folder_;
};

TEST_F(Process, SaysHowItEnded) {
  ProcessEnd end = run_process(shell("echo said; echo more >&2; test \"$WORD\" = 'a $b' && exit 3"));
  EXPECT_EQ(end.code, 1);
  ProcessRequest request = shell("echo said; echo more >&2; test \"$WORD\" = 'a $b' && exit 3");
  request.environment = {{"WORD", "a $b"}};
  end = run_process(request);
  EXPECT_EQ(end.how, How::exited);
  EXPECT_EQ(describe(end, {}), "ended with exit code 3");
  EXPECT_EQ(test::read_all(folder_ / "log"), "said\nmore\n");
  EXPECT_EQ(describe(run_process(shell("exit 0")), {}), "");
  EXPECT_EQ(describe(run_process(shell("kill -9 $$")), {}), "was killed by signal 9 (Killed)");
  request.words = {"/no/such/program"};
  EXPECT_EQ(describe(run_process(request), {}), "could not be started: No such file or directory");
  request.words.clear();
  EXPECT_EQ(test::message_of([&] { (void)run_process(request); }),
            "a program to run: there are no words, expected at least its name");
}

// What it started goes with it, also where it does not hear SIGTERM.
TEST_F(Process, EndsTheGroupAtTheLimit) {
  ProcessRequest request = shell("trap '' TERM; sleep 1000 & echo $! > \"$1\"; wait");
  request.limit = 300ms;
  const ProcessEnd end = run_process(request);
  EXPECT_EQ(end.how, How::out_of_time);
  EXPECT_EQ(describe(end, request.limit), "was still running after 0.3 s");
  EXPECT_TRUE(is_gone());
}

TEST_F(Process, LeavesNothingBehindWhenTheProgramEnds) {
  EXPECT_EQ(run_process(shell("sleep 1000 & echo $! > \"$1\"; exit 0")).how, How::exited);
  EXPECT_TRUE(is_gone());
}

TEST_F(Process, StopsWhenAsked) {
  const auto begin = std::chrono::steady_clock::now();
  const ProcessEnd end = run_process(shell("sleep 1000 & echo $! > \"$1\"; wait"), [&] {
    return std::chrono::steady_clock::now() - begin > 200ms && std::filesystem::exists(folder_ / "file");
  });
  EXPECT_EQ(end.how, How::stopped);
  EXPECT_TRUE(is_gone());
}

// Of the process that asked, without a word from it.
TEST_F(Process, EndsWithTheProcessThatAsked) {
  const pid_t child = fork();
  if (child == 0) {
    (void)run_process(shell("sleep 1000 & echo $! > \"$1\"; wait"));
    _exit(0);
  }
  for (int i = 0; i < 1000 && test::read_all(folder_ / "file").find('\n') == std::string::npos; ++i)
    std::this_thread::sleep_for(10ms);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(is_gone());
}

}  // namespace
}  // namespace nouq
