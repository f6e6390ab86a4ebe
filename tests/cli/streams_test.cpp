// Standard streams that are closed, and the signal that clusters send.
#include <chrono>
#include <csignal>
#include <thread>

#include "cli/small_model_test.h"

namespace nouq {
namespace {

class Streams : public test::SmallModelTest {
 protected:
  const std::vector<std::string> training = {"train",     "d.npz",   "--width", "4",        "--modes",
                                             "4,3",       "--count", "3",       "--epochs", "1",
                                             "--threads", "1",       "-o"};

  // The exit code of the tool when the streams are closed.
  [[nodiscard]] int code_without(const std::vector<int>& streams, std::vector<std::string> words) const {
    const pid_t child = fork();
    if (child == 0) {
      for (const int stream : streams) close(stream);
      tool.execute(words);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
};

TEST_F(Streams, FilesDoNotTakeThePlaceOfClosedOnes) {
  ASSERT_EQ(train({"--epochs", "1", "-o", "m.nouq"}).code, 0);
  const std::string model = test::read_all(tool / "m.nouq");
  for (const std::vector<int>& closed : {std::vector{2}, {0, 2}, {0, 1, 2}}) {
    std::vector<std::string> words = training;
    words.emplace_back("c.nouq");
    const int code = code_without(closed, words);
    EXPECT_EQ(code, closed.size() == 3 ? 1 : 0) << "the summary cannot be written";
    EXPECT_EQ(test::read_all(tool / "c.nouq"), model);
  }
}

TEST_F(Streams, AResultThatCannotBeWrittenIsAFailure) {
  EXPECT_EQ(code_without({1}, {"info", "d.npz"}), 1);
  EXPECT_EQ(code_without({0}, {"info", "d.npz", "--json"}), 0);
}

TEST_F(Streams, SigtermEndsWorkThatCannotStopAtAStep) {
  const pid_t child = fork();
  if (child == 0) tool.execute({"generate", "darcy", "-n", "1000000", "-o", "large.npz", "--quiet"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

}  // namespace
}  // namespace nouq
