// Makes writing fail as it does on somebody's machine: no permission, no space.
#pragma once

#include <csignal>

#include <sys/fsuid.h>
#include <sys/resource.h>

namespace nouq::test {

// The superuser may write everywhere, so a test acts as nobody where it can.
class ActAsNobody {
 public:
  ActAsNobody() : before_(static_cast<uid_t>(::setfsuid(65534))) {}
  ~ActAsNobody() { ::setfsuid(before_); }
  ActAsNobody(const ActAsNobody&) = delete;
  ActAsNobody& operator=(const ActAsNobody&) = delete;

 private:
  uid_t before_;
};

// A file-size limit fails a write half way, as a full disk does.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace nouq::test
