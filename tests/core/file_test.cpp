#include "core/file.h"

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "support/failing_disk.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string mapped(const fs::path& path) {
  const MappedFile file(path);
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

// A folder of its own for every test, holding one file that must survive every failure.
class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "nouq-file-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(old()) << "old";
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  [[nodiscard]] fs::path old() const { return folder_ / "old.txt"; }
  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  // The action fails as the machine's fault or the user's, names path and reason, and changes nothing.
  void expect_failure(const std::function<void()>& action, const fs::path& path, int reason,
                      Error::Kind kind) {
    const std::ptrdiff_t before = entries();
    try {
      action();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(path.string()), std::string::npos) << message;
      EXPECT_TRUE(reason == 0 || message.find(std::strerror(reason)) != std::string::npos) << message;
      EXPECT_EQ(error.kind(), kind) << message;
    }
    EXPECT_EQ(content(old()), "old");
    EXPECT_EQ(entries(), before) << "something was left behind";
  }

  fs::path folder_;
};

TEST_F(FileTest, ANameWithAZeroByteIsRefused) {
  const fs::path name = fs::path(old().string() + std::string("\0.txt", 5));
  const auto refused = [&](const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return std::string(error.what()).find(old().string() + "' goes on behind a zero byte") !=
             std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused([&] { MappedFile{name}; }));
  EXPECT_TRUE(refused([&] { write_file_atomically(name, "new"); }));
  EXPECT_TRUE(refused([&] { make_folder(name, "tests"); }));
  EXPECT_TRUE(refused([&] { (void)file_exists(name); }));
  EXPECT_EQ(content(old()), "old");
}

TEST_F(FileTest, WritesAndReadsBack) {
  const fs::path path = folder_ / "new.bin";
  write_file_atomically(path, std::string_view("a\0b\n", 4));
  EXPECT_EQ(mapped(path), std::string("a\0b\n", 4));
  write_file_atomically(path, "");
  EXPECT_EQ(mapped(path), "");
  write_file_atomically(old(), "new");
  EXPECT_EQ(content(old()), "new");
  EXPECT_EQ(entries(), 2);
}

TEST_F(FileTest, JoinsParts) {
  const std::string first = "one ", second, third = "three";
  const std::span<const std::byte> parts[] = {
      std::as_bytes(std::span(first)), std::as_bytes(std::span(second)), std::as_bytes(std::span(third))};
  write_file_atomically(old(), parts);
  EXPECT_EQ(content(old()), "one three");
}

// In a container every process is number 1: what a killed one left has the names that the next one takes.
TEST_F(FileTest, WhatKilledWritersLeftIsRemovedByTheNext) {
  for (int call = 0; call < 100; ++call)
    std::ofstream(folder_ / (".old.txt." + std::to_string(::getpid()) + "." + std::to_string(call) + ".tmp"));
  const fs::path others[] = {folder_ / ".old.txt.notes.tmp", folder_ / ".old.txt.bak.1.2.tmp",
                             folder_ / ".older.txt.1.2.tmp"};
  for (const fs::path& path : others) std::ofstream(path).flush();
  const fs::path in_use = folder_ / ".old.txt.1.0.tmp";
  std::ofstream(in_use).flush();
  const int writer = ::open(in_use.c_str(), O_WRONLY);
  ASSERT_EQ(::flock(writer, LOCK_EX), 0);
  write_file_atomically(old(), "new");
  EXPECT_EQ(content(old()), "new");
  EXPECT_EQ(entries(), 5) << "the file, those of others, and the one that somebody is writing";
  ::close(writer);
  write_file_atomically(old(), "newer");
  EXPECT_EQ(entries(), 4);
}

TEST_F(FileTest, AReplacedFileKeepsItsMode) {
  for (const mode_t mode : {0600U, 0664U, 0755U}) {
    ASSERT_EQ(::chmod(old().c_str(), mode), 0);
    write_file_atomically(old(), "new");
    struct stat status {};
    ASSERT_EQ(::stat(old().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, mode);
  }
}

TEST_F(FileTest, ANewFileHasTheModeThatOthersHave) {
  const mode_t before = ::umask(027);
  write_file_atomically(folder_ / "new", "x");
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "new").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST_F(FileTest, AReadOnlyFileIsNotReplaced) {
  ASSERT_EQ(::chmod(old().c_str(), 0444), 0);
  ASSERT_EQ(::chmod(folder_.c_str(), 0777), 0);
  const test::ActAsNobody nobody;
  if (::access(old().c_str(), W_OK) == 0 && std::ofstream(old(), std::ios::app))
    GTEST_SKIP() << "no file is read-only for this user";
  expect_failure([&] { write_file_atomically(old(), "new"); }, old(), EACCES, Error::Kind::failure);
}

TEST_F(FileTest, LinksStayAndTheirTargetIsReplaced) {
  fs::create_directory(folder_ / "far");
  fs::create_symlink("far/target", folder_ / "second");
  fs::create_symlink("second", folder_ / "first");
  for (const std::string text : {"new", "newer"}) {  // the target is not there yet, and then it is
    write_file_atomically(folder_ / "first", text);
    EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "second"));
    EXPECT_EQ(content(folder_ / "far" / "target"), text);
  }
  fs::create_symlink("round", folder_ / "round");
  expect_failure([&] { write_file_atomically(folder_ / "round", "x"); }, folder_ / "round", 0,
                 Error::Kind::failure);
}

TEST_F(FileTest, WhatIsNoFileIsWrittenTo) {
  write_file_atomically("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_failure([&] { write_file_atomically(pipe, "x"); }, pipe, ENXIO, Error::Kind::failure);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_file_atomically(pipe, "through");
  char text[16] = {};
  EXPECT_EQ(::read(reader, text, sizeof(text)), 7);
  EXPECT_STREQ(text, "through");
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(FileTest, TheLongestNamesCanBeWritten) {
  const fs::path path = folder_ / std::string(255, 'n');
  write_file_atomically(path, "x");
  EXPECT_EQ(content(path), "x");
}

TEST_F(FileTest, AFolderThatIsNotThereIsNamed) {
  const fs::path path = folder_ / "none" / "file";
  expect_failure([&] { write_file_atomically(path, "x"); }, path, ENOENT, Error::Kind::failure);
}

TEST_F(FileTest, AFolderInPlaceOfTheFileIsNamed) {
  const fs::path path = folder_ / "taken";
  fs::create_directory(path);
  expect_failure([&] { write_file_atomically(path, "x"); }, path, EISDIR, Error::Kind::failure);
}

TEST_F(FileTest, AnUnwritableFolderLeavesTheOldFile) {
  ASSERT_EQ(::chmod(folder_.c_str(), 0555), 0);
  const test::ActAsNobody nobody;
  if (std::ofstream(folder_ / "probe")) GTEST_SKIP() << "no folder is unwritable for this user";
  expect_failure([&] { write_file_atomically(old(), "new"); }, old(), EACCES, Error::Kind::failure);
}

TEST_F(FileTest, ADiskThatFillsUpLeavesTheOldFile) {
  const std::string text(5000, 'x');
  const test::FullDisk full(1000);
  expect_failure([&] { write_file_atomically(old(), text); }, old(), EFBIG, Error::Kind::failure);
}

TEST_F(FileTest, MappingAnEmptyFileGivesNoBytes) {
  std::ofstream(folder_ / "empty").flush();
  EXPECT_TRUE(MappedFile(folder_ / "empty").bytes().empty());
}

TEST_F(FileTest, MappingAMissingFileNamesItAndTheReason) {
  const fs::path path = folder_ / "missing";
  expect_failure([&] { const MappedFile file(path); }, path, ENOENT, Error::Kind::user);
}

TEST_F(FileTest, MappingWhatIsNoRegularFileIsRefused) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const fs::path& path : {folder_, pipe, fs::path("/dev/null")}) {
    try {
      const MappedFile file(path);
      ADD_FAILURE() << "no error for " << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "cannot read " + path.string() + ": not a regular file");
      EXPECT_EQ(error.kind(), Error::Kind::user);
    }
  }
}

TEST_F(FileTest, AMappingMoves) {
  MappedFile first(old());
  MappedFile second(std::move(first));
  EXPECT_EQ(second.bytes().size(), 3U);
  EXPECT_TRUE(first.bytes().empty());  // NOLINT(bugprone-use-after-move): what this test is about
  first = std::move(second);
  EXPECT_EQ(first.bytes().size(), 3U);
}

// A reader keeps what it opened: replacing the file does not change a mapping under it.
TEST_F(FileTest, AMappingSurvivesTheReplacementOfItsFile) {
  const MappedFile before(old());
  write_file_atomically(old(), "new, and longer");
  EXPECT_EQ(std::memcmp(before.bytes().data(), "old", 3), 0);
  EXPECT_EQ(mapped(old()), "new, and longer");
}

TEST_F(FileTest, ASmallFileThatShrinksStaysWholeInMemory) {
  const fs::path path = folder_ / "shrinks";
  write_file_atomically(path, std::string(100'000, 'a'));
  const MappedFile file(path);
  fs::resize_file(path, 10);
  EXPECT_EQ(std::to_integer<char>(file.bytes().back()), 'a');
}

TEST_F(FileTest, ForgottenBytesAreReadAgain) {
  const fs::path path = folder_ / "large";
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i);
  std::ofstream(path) << text;
  const MappedFile file(path);
  const auto bytes = file.bytes();
  for (const auto part :
       {bytes, bytes.subspan(5000), bytes.subspan(4096, 4096), bytes.first(1), bytes.first(0)}) {
    file.forget(part);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), text);
  }
  std::vector<std::byte> other(100000, std::byte{7});
  file.forget(other);
  EXPECT_EQ(other, std::vector<std::byte>(100000, std::byte{7})) << "not of the file";
}

}  // namespace
}  // namespace nouq
