#include "core/file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

// Owns a file descriptor. close() is explicit where its error matters.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : value_(::open(path.c_str(), flags | O_CLOEXEC)) {}
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] bool valid() const { return value_ >= 0; }
  bool close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Beside the target, so that the rename stays within one file system; distinct per process and call.
fs::path temporary_beside(const fs::path& path) {
  static std::atomic<unsigned> calls = 0;
  return folder_of(path) / fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), calls++);
}

// Opens a new file beside the target and says which. A name that is taken is left over from a process that
// was killed and had our number, as the first one in a container always has: the next will do.
int create_beside(const fs::path& target, fs::path& path) {
  int descriptor = -1;
  do {
    path = temporary_beside(target);
    descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor;
}

void write_all(int descriptor, std::span<const std::byte> bytes, const fs::path& target) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_failure("cannot write {}: {}", target.string(), reason());
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void flush_path(const fs::path& path, int flags) {
  const Descriptor descriptor(path, flags);
  if (!descriptor.valid() || ::fsync(descriptor.get()) != 0) {
    throw_failure("cannot flush {}: {}", path.string(), reason());
  }
}

// Removes the temporary file unless it was renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    if (!kept_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }
  void rename_to(const fs::path& target) {
    rename_file(path_, target);
    kept_ = true;
  }

 private:
  fs::path path_;
  bool kept_ = false;
};

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

void write_file_atomically(const fs::path& path, std::span<const std::span<const std::byte>> parts) {
  fs::path beside;
  Descriptor descriptor(create_beside(path, beside));
  if (!descriptor.valid()) throw_failure("cannot create {}: {}", path.string(), reason());
  TemporaryFile temporary(std::move(beside));
  for (const auto part : parts) write_all(descriptor.get(), part, path);
  if (!descriptor.close()) throw_failure("cannot close {}: {}", path.string(), reason());
  flush_path(temporary.path(), O_RDONLY);
  temporary.rename_to(path);
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text.data(), text.size()));
  write_file_atomically(path, std::span(&bytes, 1));
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
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) throw_failure("cannot open {} to lock it: {}", path.string(), std::strerror(errno));
  LockFile lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return lock;
  const int reason = errno;
  if (reason == EWOULDBLOCK) return std::nullopt;
  throw_failure("cannot lock {}: {}", path.string(), std::strerror(reason));
}

LockFile::~LockFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace nouq
