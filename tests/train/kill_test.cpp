// A run that is killed without warning and resumed ends with the same bits as one that was left alone.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <nouq/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

pid_t start_child(const fs::path& folder, const char* epochs, const char* threads) {
  const std::string checkpoint = folder / "checkpoint";
  const std::string result = folder / "result";
  const pid_t child = fork();
  if (child == 0) {
    execl(NOUQ_TRAIN_CHILD, NOUQ_TRAIN_CHILD, checkpoint.c_str(), result.c_str(), epochs, threads, nullptr);
    _exit(127);
  }
  return child;
}

bool finished_well(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string bytes_of(const fs::path& path) {
  const MappedFile file(path);
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(Kill, TwentyKillsChangeNothing) {
  const fs::path folder = fs::temp_directory_path() / ("nouq_kill_" + std::to_string(getpid()));
  fs::create_directories(folder / "alone");
  fs::create_directories(folder / "killed");
  const char* epochs = "120";
  ASSERT_TRUE(finished_well(start_child(folder / "alone", epochs, "1")));

  const Stream stream(1, Purpose::tests);
  int killed = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const pid_t child = start_child(folder / "killed", epochs, i % 2 == 0 ? "1" : "2");
    std::this_thread::sleep_for(std::chrono::microseconds(2000 + stream.below(40000, i)));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status) ? 1 : 0;
  }
  ASSERT_TRUE(finished_well(start_child(folder / "killed", epochs, "2")));
  EXPECT_GE(killed, 10) << "the run was over before it could be killed: make it longer";
  EXPECT_TRUE(bytes_of(folder / "alone" / "result") == bytes_of(folder / "killed" / "result"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace nouq
