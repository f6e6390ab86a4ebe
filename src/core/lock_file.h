// An exclusive right, held through a file: for several processes that share a folder.
//
// Why a lock of the system's on a file and not the file's existence: the system lets go of it when the holder
// dies, however it dies, so no stale lock is ever left behind. The (empty) file itself stays.
// Contract: one holder at a time among processes and among objects of one process.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace nouq {

class LockFile {
 public:
  // nullopt: somebody else holds it. Throws when the file cannot be made.
  static std::optional<LockFile> try_lock(const std::filesystem::path& path);

  ~LockFile();
  LockFile(LockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  LockFile& operator=(LockFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  explicit LockFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace nouq
