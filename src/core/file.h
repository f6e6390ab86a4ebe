// The file layer: the only place with system calls on files.
//
// Why: files are not trusted when read, and must not be lost when written. Reading takes the file as it is,
// so that nothing is allocated from a size somebody wrote into it; writing goes to a temporary file that is
// flushed and renamed, so that a reader sees the old file or the new one, never half of one. Contract: every
// error names the path and the system's reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nouq {

// A read-only view of a whole file: read where it is small, mapped into memory beyond 16 MiB. A mapped file
// that becomes shorter meanwhile is a SIGBUS for whoever reads behind its end; a small one is an error, or
// whole.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  // Lets go of the memory behind bytes that have been read, so that a large file and what is made of it are
  // not in memory together. They can be read again; bytes of other memory are left alone.
  void forget(std::span<const std::byte> read) const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
};

// Replaces (or creates) a file in one step: temporary file beside it, fsync, rename, fsync of the folder. A
// file that is replaced keeps its mode, a symbolic link stays one, and what is no file (a device, a pipe) is
// written to. Temporary files of writers that were killed are removed by the next one.
void write_file_atomically(const std::filesystem::path& path,
                           std::span<const std::span<const std::byte>> parts);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// With the folders above it, where they are missing. `purpose` is what it is for, for the message.
void make_folder(const std::filesystem::path& folder, std::string_view purpose);

// The regular files in a folder (not those below it), sorted by name.
std::vector<std::filesystem::path> list_files(const std::filesystem::path& folder);

// Refuses a name with a zero byte, which the system would take to end there: it would be another file's.
void require_file_name(const std::filesystem::path& path);

// Throws where the system does not let us look.
bool file_exists(const std::filesystem::path& path);

// Moves a file within a folder, replacing what was there; the change is on disk when it returns.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

// An exclusive right, held through a file: for several processes that share a folder.
//
// Why a lock of the system's on a file and not the file's existence: the system releases it when the
// process that holds it ends, however it ends, so no stale lock is ever left behind. The (empty) file itself
// stays. Contract: one holder at a time among processes and among objects of one process.
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
