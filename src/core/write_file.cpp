// Writing files (core/file.h): a temporary file beside the target, which takes its place in one step.
#include <algorithm>
#include <atomic>
#include <cctype>
#include <optional>

#include <sys/file.h>
#include <sys/stat.h>

#include "core/descriptor.h"
#include "core/error.h"
#include "core/file.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

using Parts = std::span<const std::span<const std::byte>>;

void write_all(int descriptor, Parts parts, const fs::path& target) {
  for (std::span<const std::byte> bytes : parts) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw_failure("cannot write {}: {}", target.string(), reason());
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
}

std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

// A device, a pipe or a socket is written to: replacing it by a file would be a surprise to everybody who
// uses it. A pipe that nobody reads is an error instead of a wait without end.
void write_through(const fs::path& path, Parts parts) {
  Descriptor descriptor(path, O_WRONLY | O_NONBLOCK);
  if (!descriptor.valid()) throw_failure("cannot open {} to write to it: {}", path.string(), reason());
  const int flags = ::fcntl(descriptor.get(), F_GETFL);
  if (flags < 0 || ::fcntl(descriptor.get(), F_SETFL, flags & ~O_NONBLOCK) != 0)
    throw_failure("cannot write {}: {}", path.string(), reason());
  write_all(descriptor.get(), parts, path);
  if (!descriptor.close()) throw_failure("cannot close {}: {}", path.string(), reason());
}

// The file that a name stands for: symbolic links stay what they are, their target is replaced.
fs::path followed(const fs::path& path) {
  constexpr int most_links = 40;
  fs::path target = path;
  for (int links = 0; links < most_links; ++links) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(target, error))) return target;
    const fs::path next = fs::read_symlink(target, error);
    if (error) throw_failure("cannot follow the link {}: {}", target.string(), error.message());
    target = next.is_absolute() ? next : folder_of(target) / next;
  }
  throw_failure("cannot create {}: more than {} symbolic links to follow", path.string(), most_links);
}

// What temporary files of a target are called begins so; long names are cut to leave room for the rest.
std::string temporary_prefix(const fs::path& target) {
  return fmt::format(".{}.", target.filename().string().substr(0, 200));
}

// Distinct per process and call.
fs::path temporary_beside(const fs::path& target) {
  static std::atomic<unsigned> calls = 0;
  return folder_of(target) / fmt::format("{}{}.{}.tmp", temporary_prefix(target), ::getpid(), calls++);
}

bool is_temporary(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix) || !name.ends_with(".tmp")) return false;
  const std::string_view middle =
      std::string_view(name).substr(prefix.size(), name.size() - prefix.size() - 4);
  return !middle.empty() && middle.find_first_not_of("0123456789.") == std::string_view::npos;
}

// Nobody holds the lock of a temporary file whose writer was killed; then it is removed.
void remove_left_over(const fs::path& path) {
  const Descriptor descriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor.valid() && ::flock(descriptor.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
}

void remove_left_overs(const fs::path& target) {
  const std::string prefix = temporary_prefix(target);
  for (const std::string& name : names_in(folder_of(target)).names) {
    if (is_temporary(name, prefix)) remove_left_over(folder_of(target) / name);
  }
}

// A new file beside the target, so that the rename stays within one file system. It is locked as long as it
// is written, which tells it from one whose writer was killed. Removed unless it was renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) : descriptor_(-1) {
    do {
      path_ = temporary_beside(target);
      descriptor_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    } while (descriptor_.valid() ? !is_ours() : errno == EEXIST);
    if (!descriptor_.valid()) throw_failure("cannot create {}: {}", target.string(), reason());
  }
  ~TemporaryFile() {
    if (!kept_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  [[nodiscard]] const fs::path& path() const { return path_; }
  void rename_to(const fs::path& target) {
    rename_file(path_, target);
    kept_ = true;
  }

 private:
  // Another writer of the same target may have taken it for a left-over before it was locked.
  [[nodiscard]] bool is_ours() const {
    struct stat status {};
    (void)::flock(descriptor_.get(), LOCK_EX | LOCK_NB);  // not every file system has locks
    return ::fstat(descriptor_.get(), &status) != 0 || status.st_nlink > 0;
  }

  fs::path path_;
  Descriptor descriptor_;
  bool kept_ = false;
};

// The mode of a file that is replaced, and its owner where we may give files away.
void keep_mode(int descriptor, const struct stat& old) {
  (void)::fchown(descriptor, old.st_uid, old.st_gid);
  (void)::fchmod(descriptor, old.st_mode & 07777U);
}

}  // namespace

void write_file_atomically(const fs::path& path, Parts parts) {
  require_file_name(path);
  const std::optional<struct stat> old = status_of(path);
  if (old && !S_ISREG(old->st_mode) && !S_ISDIR(old->st_mode)) return write_through(path, parts);
  const fs::path target = followed(path);
  if (old && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
    throw_failure("cannot write {}: {}", path.string(), reason());
  remove_left_overs(target);
  TemporaryFile temporary(target);
  write_all(temporary.descriptor(), parts, path);
  if (old) keep_mode(temporary.descriptor(), *old);
  if (::fsync(temporary.descriptor()) != 0) throw_failure("cannot flush {}: {}", path.string(), reason());
  temporary.rename_to(target);
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text.data(), text.size()));
  write_file_atomically(path, std::span(&bytes, 1));
}

}  // namespace nouq
