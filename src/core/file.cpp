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

// Whether the system says that the name is wrong, and not that something went wrong.
bool is_of_name(int error) {
  return error == ENOENT || error == ENOTDIR || error == EISDIR || error == EACCES || error == EPERM ||
         error == ELOOP || error == ENAMETOOLONG || error == ENXIO;
}

void flush_path(const fs::path& path, int flags) {
  const Descriptor descriptor(path, flags);
  if (!descriptor.valid() || ::fsync(descriptor.get()) != 0) {
    throw_failure("cannot flush {}: {}", path.string(), reason());
  }
}

constexpr std::size_t most_read = std::size_t{16} << 20U;

// Whether all of it could be read; errno says why not, and ENODATA that the file has become shorter.
bool read_whole(int descriptor, std::span<std::byte> to) {
  while (!to.empty()) {
    const ssize_t got = ::read(descriptor, to.data(), to.size());
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = ENODATA;
    if (got <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace

MappedFile::MappedFile(const fs::path& path) {
  require_file_name(path);
  // Not blocking: opening a pipe nobody writes to would wait for ever.
  const Descriptor descriptor(path, O_RDONLY | O_NONBLOCK);
  if (!descriptor.valid() && !is_of_name(errno)) throw_failure("cannot open {}: {}", path.string(), reason());
  require(descriptor.valid(), "cannot open {}: {}", path.string(), reason());
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0)
    throw_failure("cannot inspect {}: {}", path.string(), reason());
  require(S_ISREG(status.st_mode), "cannot read {}: not a regular file", path.string());
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  mapped_ = size_ > most_read;
  void* memory = mapped_ ? ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor.get(), 0)
                         : ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw_failure("cannot map {}: {}", path.string(), reason());
  if (!mapped_ && !read_whole(descriptor.get(), {static_cast<std::byte*>(memory), size_})) {
    const std::string why = reason();
    ::munmap(memory, size_);
    throw_failure("cannot read {}: {}", path.string(), why);
  }
  data_ = static_cast<const std::byte*>(memory);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::forget(std::span<const std::byte> read) const {
  if (!mapped_ || read.data() < data_ || read.data() + read.size() > data_ + size_) return;
  const std::size_t page = ::sysconf(_SC_PAGESIZE);
  const auto first = static_cast<std::size_t>(read.data() - data_) / page * page;
  const std::size_t end = static_cast<std::size_t>(read.data() - data_) + read.size();
  // Nothing was written to the pages: the system reads them anew from the file.
  (void)::madvise(const_cast<std::byte*>(data_) + first, end - first, MADV_DONTNEED);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(other.mapped_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

void require_file_name(const fs::path& path) {
  const std::size_t end = path.native().find('\0');
  require(end == std::string::npos, "the file name '{}' goes on behind a zero byte: no file has such a name",
          path.native().substr(0, end));
}

std::vector<fs::path> list_files(const fs::path& folder) {
  const FolderNames found = names_in(folder);
  require(found.error == 0, "cannot list the folder {}: {}", folder.string(),
          std::generic_category().message(found.error));
  std::vector<fs::path> files;
  for (const std::string& name : found.names) {
    std::error_code error;
    const fs::file_status status = fs::status(folder / name, error);
    if (error && !is_of_name(error.value()))
      throw_failure("cannot look at {}: {}", (folder / name).string(), error.message());
    if (fs::is_regular_file(status)) files.push_back(folder / name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

void make_folder(const fs::path& folder, std::string_view purpose) {
  require_file_name(folder);
  std::error_code error, unknown;
  std::vector<fs::path> missing;
  for (fs::path one = folder; !one.empty() && !fs::exists(one, unknown); one = one.parent_path())
    missing.push_back(one);
  fs::create_directories(folder, error);
  if (error) throw_failure("cannot make the folder {} for {}: {}", folder.string(), purpose, error.message());
  // A file in a folder is only as safe as the folder's name.
  for (const fs::path& one : missing) flush_path(folder_of(one), O_RDONLY | O_DIRECTORY);
}

bool file_exists(const fs::path& path) {
  require_file_name(path);
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
