// Long work: a bar on a terminal, lines elsewhere, and an end on Ctrl-C.
#include <csignal>

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>

#include "cli/tool.h"

namespace nouq {
namespace {

const std::vector<std::string> endless = {"demo",     "--problem", "heat",      "-n", "20",
                                          "--epochs", "1000000",   "--threads", "1"};

// The tool on a terminal of its own; `until` is awaited before the signals are sent.
class Terminal {
 public:
  explicit Terminal(const std::vector<std::string>& words) {
    const winsize size = {.ws_row = 40, .ws_col = 160, .ws_xpixel = 0, .ws_ypixel = 0};
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ == 0) tool_.execute(words);
  }
  ~Terminal() { close(terminal_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void await(const std::string& text) {
    while (seen_.find(text) == std::string::npos && seen_.size() < 1'000'000 && read_some()) {
    }
  }
  void press_control_c() const { ASSERT_EQ(write(terminal_, "\x03", 1), 1); }
  void send(const std::vector<int>& signals) const {
    for (const int signal : signals) ASSERT_EQ(kill(child_, signal), 0);
  }
  int finish() {
    while (read_some()) {
    }
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  [[nodiscard]] const std::string& seen() const { return seen_; }

 private:
  // False at the end, and when nothing has come for a while.
  bool read_some() {
    pollfd event = {terminal_, POLLIN, 0};
    if (poll(&event, 1, 20'000) <= 0) kill(child_, SIGKILL);
    char buffer[4096];
    const ssize_t count = read(terminal_, buffer, sizeof buffer);
    if (count > 0) seen_.append(buffer, static_cast<std::size_t>(count));
    return count > 0;
  }

  test::Tool tool_;
  int terminal_ = -1;
  pid_t child_ = -1;
  std::string seen_;
};

TEST(Progress, LinesWhereThereIsNoTerminal) {
  const test::Tool tool;
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"demo", "--problem", "heat", "-n", "20", "--epochs", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return tool(words);
  };
  const test::Outcome plain = run({});
  EXPECT_EQ(plain.code, 0);
  EXPECT_NE(plain.errors.find("\nepoch 2/2  "), std::string::npos) << plain.errors;
  EXPECT_NE(plain.errors.find("validation "), std::string::npos);
  EXPECT_EQ(plain.errors.find('\r'), std::string::npos);
  EXPECT_EQ(run({"--quiet"}).errors, "");
}

TEST(Progress, ABarOnATerminalThatControlCEnds) {
  Terminal terminal(endless);
  terminal.await("(best at ");
  EXPECT_NE(terminal.seen().find("\r[........................] epoch "), std::string::npos)
      << terminal.seen();
  terminal.press_control_c();
  EXPECT_EQ(terminal.finish(), 130);
  EXPECT_NE(terminal.seen().find("nouq: stopped; nothing is kept of a demo"), std::string::npos)
      << terminal.seen();
}

TEST(Progress, TerminationCountsAsControlC) {
  Terminal terminal(endless);
  terminal.await("epochs/s");
  terminal.send({SIGTERM});
  EXPECT_EQ(terminal.finish(), 130);
  EXPECT_NE(terminal.seen().find("nouq: stopped"), std::string::npos) << terminal.seen();
}

TEST(Progress, TheSecondInterruptEndsAtOnce) {
  Terminal terminal(endless);
  terminal.await("epochs/s");
  terminal.send({SIGSTOP, SIGINT, SIGTERM, SIGCONT});  // both arrive before the next step
  EXPECT_EQ(terminal.finish(), 130);
  EXPECT_EQ(terminal.seen().find("nouq: stopped"), std::string::npos) << "it took its time to say so";
}

}  // namespace
}  // namespace nouq
