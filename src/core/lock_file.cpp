#include "core/lock_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"

namespace nouq {

std::optional<LockFile> LockFile::try_lock(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) fail_internally("cannot open {} to lock it: {}", path.string(), std::strerror(errno));
  LockFile lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return lock;
  const int reason = errno;
  if (reason == EWOULDBLOCK) return std::nullopt;
  fail_internally("cannot lock {}: {}", path.string(), std::strerror(reason));
}

LockFile::~LockFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace nouq
