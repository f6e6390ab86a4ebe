#include <atomic>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "data/temporary_folder.h"

namespace nouq {
namespace {

TEST(LockFile, HasOneHolderAtATime) {
  const test::TemporaryFolder folder;
  auto first = LockFile::try_lock(folder / "a.lock");
  ASSERT_TRUE(first);
  EXPECT_FALSE(LockFile::try_lock(folder / "a.lock"));
  EXPECT_TRUE(LockFile::try_lock(folder / "b.lock"));
  first.reset();
  EXPECT_TRUE(LockFile::try_lock(folder / "a.lock"));
}

// A lock on a file that was removed while it was opened keeps nobody away.
TEST(LockFile, IsOnTheFileOfThatName) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.lock";
  std::atomic<bool> over = false;
  std::thread remover([&] {
    while (!over) ::unlink(path.c_str());
  });
  for (int round = 0; round < 2000; ++round) {
    const auto lock = LockFile::try_lock(path);
    ASSERT_TRUE(lock) << "nobody else locks it";
  }
  over = true;
  remover.join();
  const auto held = LockFile::try_lock(path);
  EXPECT_FALSE(LockFile::try_lock(path));
}

TEST(LockFile, OfAKilledProcessIsFree) {
  const test::TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = LockFile::try_lock(folder / "a.lock");
    const char done = 'x';
    if (write(ready[1], &done, 1) == 1) pause();
    _exit(lock ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_FALSE(LockFile::try_lock(folder / "a.lock"));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(LockFile::try_lock(folder / "a.lock"));
}

TEST(LockFile, SaysWhereItCannotBe) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(LockFile::try_lock(folder / "none/a.lock"), Error);
}

}  // namespace
}  // namespace nouq
