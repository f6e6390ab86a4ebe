// An open file by its number, closed in time: for the files of `core` that make system calls.
#pragma once

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace nouq {

// Why the last system call failed, in the system's words.
inline std::string reason() { return std::generic_category().message(errno); }

inline std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// The names in a folder in any order, and what error kept from reading them all, 0 for none. Not by
// std::filesystem: where memory runs out, libstdc++'s iterator ends the process.
struct FolderNames {
  std::vector<std::string> names;
  int error = 0;
};

inline FolderNames names_in(const std::filesystem::path& folder) {
  FolderNames found;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  errno = open == nullptr ? errno : 0;
  while (open != nullptr) {
    errno = 0;
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") found.names.emplace_back(name);
  }
  found.error = errno;
  return found;
}

// Owns a file descriptor. close() is explicit where its error matters.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : value_(::open(path.c_str(), flags | O_CLOEXEC)) {}
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] bool valid() const { return value_ >= 0; }
  bool close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

}  // namespace nouq
