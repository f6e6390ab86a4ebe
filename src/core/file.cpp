#include "core/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/descriptor.h"
#include "core/error.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

// Whether the open file is the one that has this name now.
bool is_at(int descriptor, const fs::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

void flush_path(const fs::path& path, int flags) {
  const Descriptor descriptor(path, flags);
  if (!descriptor.valid() || ::fsync(descriptor.get()) != 0) {
    throw_failure("cannot flush {}: {}", path.string(), reason());
  }
}

}  // namespace

MappedFile::MappedFile(const fs::path& path) {
  // Not blocking: opening a pipe nobody writes to would wait for ever.
  const Descriptor descriptor(path, O_RDONLY | O_NONBLOCK);
  require(descriptor.valid(), "cannot open {}: {}", path.string(), reason());
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0)
    throw_failure("cannot inspect {}: {}", path.string(), reason());
  require(S_ISREG(status.st_mode), "cannot read {}: not a regular file", path.string());
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
  if (memory == MAP_FAILED) throw_failure("cannot map {}: {}", path.string(), reason());
  data_ = static_cast<const std::byte*>(memory);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::forget(std::span<const std::byte> read) const {
  if (data_ == nullptr || read.data() < data_ || read.data() + read.size() > data_ + size_) return;
  const std::size_t page = ::sysconf(_SC_PAGESIZE);
  const auto first = static_cast<std::size_t>(read.data() - data_) / page * page;
  const std::size_t end = static_cast<std::size_t>(read.data() - data_) + read.size();
  // Nothing was written to the pages: the system reads them anew from the file.
  (void)::madvise(const_cast<std::byte*>(data_) + first, end - first, MADV_DONTNEED);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

std::vector<fs::path> list_files(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
  }
  require(!error, "cannot list the folder {}: {}", folder.string(), error.message());
  std::sort(files.begin(), files.end());
  return files;
}

void make_folder(const fs::path& folder, std::string_view purpose) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw_failure("cannot make the folder {} for {}: {}", folder.string(), purpose, error.message());
}

bool file_exists(const fs::path& path) {
  std::error_code error;
  const bool exists = fs::exists(path, error);
  if (error) throw_failure("cannot look for {}: {}", path.string(), error.message());
  return exists;
}

void rename_file(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0)
    throw_failure("cannot put {} in place: {}", to.string(), reason());
  flush_path(folder_of(to), O_RDONLY | O_DIRECTORY);
}

std::optional<LockFile> LockFile::try_lock(const std::filesystem::path& path) {
  for (;;) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) throw_failure("cannot open {} to lock it: {}", path.string(), std::strerror(errno));
    LockFile lock(descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      if (reason == EWOULDBLOCK) return std::nullopt;
      throw_failure("cannot lock {}: {}", path.string(), std::strerror(reason));
    }
    // Whoever held it may have removed the file meanwhile: a lock on that would keep nobody away.
    if (is_at(descriptor, path)) return lock;
  }
}

LockFile::~LockFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace nouq
