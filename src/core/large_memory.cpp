#include "core/large_memory.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

#include <sys/mman.h>
#include <sys/vfs.h>

#include "core/buffer.h"
#include "core/descriptor.h"
#include "core/error.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t counted_from = std::size_t{1} << 20U;  // smaller ones do not matter

// What the arrays of this process take.
class Store {
 public:
  void turn_on(const fs::path& folder, std::size_t budget) {
    folder_ = folder;
    budget_ = budget;
    on_ = !folder.empty();
  }
  [[nodiscard]] bool is_on() const { return on_; }

  void* allocate(std::size_t bytes) {
    if (!on_ || bytes < counted_from) return nouq::allocate(bytes);
    const std::lock_guard guard(mutex_);
    const bool fits = in_memory_ + bytes <= budget_;
    void* memory = fits ? nouq::allocate(bytes) : map(bytes);
    pieces_[reinterpret_cast<std::uintptr_t>(memory)] = {bytes, !fits};
    (fits ? in_memory_ : in_files_) += bytes;
    return memory;
  }

  void release(void* memory) {
    if (on_) {
      const std::lock_guard guard(mutex_);
      const auto found = pieces_.find(reinterpret_cast<std::uintptr_t>(memory));
      if (found != pieces_.end()) {
        const auto [bytes, in_file] = found->second;
        pieces_.erase(found);
        (in_file ? in_files_ : in_memory_) -= bytes;
        if (in_file) {
          ::munmap(memory, bytes);
          return;
        }
      }
    }
    nouq::release(memory);
  }

  bool is_in_file(const void* address) {
    if (!on_ || in_files_ == 0) return false;
    const std::lock_guard guard(mutex_);
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    auto after = pieces_.upper_bound(place);
    if (after == pieces_.begin()) return false;
    const auto& [begin, piece] = *--after;
    return piece.in_file && place < begin + piece.bytes;
  }

  [[nodiscard]] std::size_t in_files() const { return in_files_; }

 private:
  struct Piece {
    std::size_t bytes = 0;
    bool in_file = false;
  };

  // The room is taken at once: a disk that fills up later would end the process without a word.
  [[nodiscard]] void* map(std::size_t bytes) const {
    std::string name = (folder_ / "nouq-array-XXXXXX").string();
    const int file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file < 0)
      throw_failure("{}: no file for an array of {} bytes ({})", folder_.string(), bytes, reason());
    ::unlink(name.c_str());
    const auto size = static_cast<off_t>(bytes);
    const bool has_room =
        ::fallocate(file, 0, 0, size) == 0 || (errno == EOPNOTSUPP && ::ftruncate(file, size) == 0);
    const std::string why = has_room ? "" : reason();
    void* memory =
        has_room ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    ::close(file);
    if (!has_room)
      throw_failure(
          "{}: no room for an array of {} bytes, which does not fit into memory ({}); TMPDIR names another "
          "folder",
          folder_.string(), bytes, why);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return memory;
  }

  fs::path folder_;
  std::size_t budget_ = 0;
  std::atomic<bool> on_ = false;
  std::mutex mutex_;
  std::map<std::uintptr_t, Piece> pieces_;
  std::atomic<std::size_t> in_memory_ = 0;
  std::atomic<std::size_t> in_files_ = 0;
};

// Never destroyed: arrays of other static objects may be released after it.
Store& store() {
  static Store& only = *new Store;
  return only;
}

std::size_t number_in(const fs::path& path) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : SIZE_MAX;  // "max"
}

// The folder of this process' control group, below where they are mounted.
std::string control_group(const std::string& prefix) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(prefix)) return line.substr(prefix.size());
    const auto at = line.find(":memory:");
    if (prefix == "memory" && at != std::string::npos) return line.substr(at + 8);
  }
  return "/";
}

// Of the group and of all that it is in.
std::size_t limit_below(const fs::path& mount, std::string group, const char* file) {
  std::size_t least = SIZE_MAX;
  for (;;) {
    least = std::min(least, number_in(mount / fs::path(group).relative_path() / file));
    if (group.size() <= 1) return least;
    group = fs::path(group).parent_path().string();
  }
}

bool is_memory(const fs::path& folder) {
  struct statfs about {};
  constexpr long tmpfs = 0x01021994, ramfs = static_cast<long>(0x858458f6);
  return ::statfs(folder.c_str(), &about) != 0 || about.f_type == tmpfs || about.f_type == ramfs;
}

}  // namespace

std::size_t memory_limit() {
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  const std::size_t machine = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return std::min({machine, limit_below("/sys/fs/cgroup", control_group("0::"), "memory.max"),
                   limit_below("/sys/fs/cgroup/memory", control_group("memory"), "memory.limit_in_bytes")});
}

fs::path folder_on_disk() {
  const char* chosen = std::getenv("TMPDIR");
  for (const fs::path& folder :
       {fs::path(chosen != nullptr ? chosen : ""), fs::path("/var/tmp"), fs::path(".")}) {
    if (!folder.empty() && !is_memory(folder) && ::access(folder.c_str(), W_OK | X_OK) == 0) return folder;
  }
  return {};
}

void keep_large_arrays_in_files(const fs::path& folder, std::size_t budget) {
  store().turn_on(folder, budget);
}

void* allocate_array(std::size_t bytes) { return store().allocate(bytes); }

void release_array(void* memory) { store().release(memory); }

void* grow_array(void* memory, std::size_t held, std::size_t bytes) {
  if (!store().is_on()) return std::realloc(memory, bytes);
  void* larger = allocate_array(bytes);
  if (memory == nullptr) return larger;
  std::memcpy(larger, memory, std::min(held, bytes));
  release_array(memory);
  return larger;
}

void give_back_array(void* memory, std::size_t bytes) {
  if (!store().is_in_file(memory)) return give_back(memory, bytes);
}

void fetch_ahead(std::span<const std::byte> bytes) {
  if (bytes.empty() || !store().is_in_file(bytes.data())) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t first = begin / page * page;
  (void)::madvise(reinterpret_cast<void*>(first), begin + bytes.size() - first, MADV_WILLNEED);
}

std::size_t bytes_in_files() { return store().in_files(); }

}  // namespace nouq
