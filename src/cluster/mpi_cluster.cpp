#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include <mpi.h>
#include <sched.h>

#include "cluster/cluster.h"
#include "cluster/mpi_group.h"
#include "core/error.h"
#include "core/threads.h"
#include "kernels/target.h"

namespace nouq {
namespace {

enum Tag : int { last_piece, more_follows, dismissal };

// One line of text from every rank.
std::vector<std::string> gather(const std::string& own) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  constexpr int width = 1024;
  std::vector<char> mine(width, 0), all(static_cast<std::size_t>(width) * size);
  std::copy_n(own.begin(), std::min<std::size_t>(own.size(), width - 1), mine.begin());
  MPI_Allgather(mine.data(), width, MPI_CHAR, all.data(), width, MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (int rank = 0; rank < size; ++rank)
    texts.emplace_back(all.data() + static_cast<std::size_t>(rank) * width);
  return texts;
}

std::string host_name() {
  std::vector<char> name(MPI_MAX_PROCESSOR_NAME);
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

// Which cores this process may use, as text.
std::string affinity() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  std::string text;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return text;
  for (int core = 0; core < CPU_SETSIZE && text.size() < 600; ++core) {
    if (CPU_ISSET(core, &cores)) text += fmt::format(" {}", core);
  }
  return text;
}

// What the user or the scheduler says; else the cores of the affinity mask, divided by the ranks that have
// the same.
int fair_cores(int ranks_on_the_same_cores) {
  for (const char* name : {"SLURM_CPUS_PER_TASK", "OMP_NUM_THREADS"}) {
    const char* text = std::getenv(name);
    if (text != nullptr && std::atoi(text) > 0) return std::atoi(text);
  }
  return std::max(1, available_threads() / ranks_on_the_same_cores);
}

// The last bits of results depend on it.
Target common_target() {
  int own = static_cast<int>(current_target()), lowest = own;
  MPI_Allreduce(&own, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (lowest != own) force_target(static_cast<Target>(lowest));
  return static_cast<Target>(lowest);
}

class MpiCluster final : public Cluster {
 public:
  MpiCluster() {
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threading_);
    MPI_Comm_dup(MPI_COMM_WORLD, &of_groups_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    hosts_ = gather(host_name());
    const std::string own_place = host_name() + affinity();
    const std::vector<std::string> places = gather(own_place);
    cores_ = fair_cores(static_cast<int>(std::count(places.begin(), places.end(), own_place)));
    const std::vector<std::string> targets = gather(std::string(name(current_target())));
    target_ = common_target();
    mixed_ = std::set(targets.begin(), targets.end()).size() > 1;
  }
  ~MpiCluster() override {
    if (!left_) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MpiCluster(const MpiCluster&) = delete;
  MpiCluster& operator=(const MpiCluster&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] std::string name_of(int rank) const override {
    return fmt::format("rank {} on {}", rank, hosts_.at(rank));
  }
  [[nodiscard]] int cores() const override { return cores_; }
  [[nodiscard]] int neighbours() const override {
    return static_cast<int>(std::count(hosts_.begin(), hosts_.end(), hosts_.at(rank_)));
  }
  [[nodiscard]] std::string description() const override {
    const auto counted = [](std::size_t count, const char* what) {
      return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    const std::size_t machines = std::set(hosts_.begin(), hosts_.end()).size();
    std::string text = fmt::format("{} on {}, cores for {} each ({})", counted(size_, "rank"),
                                   counted(machines, "machine"), counted(cores_, "thread"), mpi_name());
    if (mixed_) text += fmt::format("; all on {}, which every one has", name(target_));
    return text;
  }

  void post(int to, Bytes message) override {
    const std::lock_guard guard(mpi_mutex());
    collect_sent();
    const Bytes& bytes = sent_.emplace_back(Sent{std::move(message), {}}).bytes;
    std::size_t from = 0;
    do {
      const std::size_t count = std::min(longest_piece, bytes.size() - from);
      const Tag tag = from + count < bytes.size() ? more_follows : last_piece;
      MPI_Request request;
      MPI_Isend(bytes.data() + from, static_cast<int>(count), MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
      sent_.back().requests.push_back(request);
      from += count;
    } while (from < bytes.size());
  }

  std::optional<Mail> poll() override {
    const std::lock_guard guard(mpi_mutex());
    collect_sent();
    for (;;) {
      int found = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
      if (found == 0) return std::nullopt;
      if (auto mail = receive(status)) return mail;
    }
  }
  [[nodiscard]] bool dismissed() const override { return dismissed_; }

  [[nodiscard]] bool has_groups() const override { return threading_ >= MPI_THREAD_SERIALIZED; }
  [[nodiscard]] std::unique_ptr<Group> group(const std::vector<int>& members) override {
    return has_groups() ? make_mpi_group(of_groups_, members, rank_) : nullptr;
  }

  void leave() override {
    left_ = true;
    if (rank_ == 0) {
      for (int rank = 1; rank < size_; ++rank)
        MPI_Send(nullptr, 0, MPI_BYTE, rank, dismissal, MPI_COMM_WORLD);
    }
    if (left_an_exchange()) await_the_end();
    // MPI_Finalize waits with all its might; rank 0 may still have hours to go.
    while (rank_ > 0 && !dismissed_) {
      (void)poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    for (Sent& message : sent_) wait_for(message);
    MPI_Finalize();
  }

  [[noreturn]] void abort(int code) override {
    left_ = true;
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  struct Sent {
    Bytes bytes;
    std::vector<MPI_Request> requests;
  };

  // Rank 0 ends the job of which some rank has failed, without help from here.
  [[noreturn]] void await_the_end() {
    std::this_thread::sleep_for(std::chrono::seconds(20));
    abort(EXIT_FAILURE);
  }

  static void wait_for(Sent& message) {
    MPI_Waitall(static_cast<int>(message.requests.size()), message.requests.data(), MPI_STATUSES_IGNORE);
  }
  // Messages that are on their way keep their bytes; deque: they do not move.
  void collect_sent() {
    while (!sent_.empty()) {
      auto& requests = sent_.front().requests;
      int all = 0;
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE);
      if (all == 0) return;
      sent_.pop_front();
    }
  }

  // nullopt: it was a piece, or a dismissal.
  std::optional<Mail> receive(const MPI_Status& status) {
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    Bytes& message = arriving_[status.MPI_SOURCE];
    const std::size_t before = message.size();
    message.resize(before + count);
    MPI_Recv(message.data() + before, count, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (status.MPI_TAG == dismissal) dismissed_ = true;
    if (status.MPI_TAG != last_piece) return std::nullopt;
    return Mail{status.MPI_SOURCE, std::exchange(message, {})};
  }

  int rank_ = 0, size_ = 1, cores_ = 1, threading_ = 0;
  MPI_Comm of_groups_ = MPI_COMM_NULL;
  std::vector<std::string> hosts_;
  Target target_;
  bool mixed_ = false, dismissed_ = false, left_ = false;
  std::deque<Sent> sent_;
  std::map<int, Bytes> arriving_;  // pieces of each rank's present message
};

}  // namespace

std::string mpi_name() {
  std::vector<char> text(MPI_MAX_LIBRARY_VERSION_STRING);
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string whole(text.data(), static_cast<std::size_t>(length));
  // "Open MPI v4.1.4, package: ..." or "MPICH Version:\t4.0.2\nMPICH Release date: ..."
  whole = whole.substr(0, whole.find_first_of(",\n"));
  if (const auto version = whole.find(" Version:"); version != std::string::npos)
    whole = whole.substr(0, version) + " " + whole.substr(whole.find_first_of("0123456789"));
  return whole;
}

std::unique_ptr<Cluster> detail::connect_ranks(int expected) {
  auto cluster = std::make_unique<MpiCluster>();
  const int size = cluster->size();
  if (size > 1 || expected <= 1) return cluster;
  cluster->leave();
  fail(
      "started as one of {} processes, but {} connects this one to nobody: they were started by another MPI's "
      "launcher and would all write the same files; use that of {}",
      expected, mpi_name(), mpi_name());
}

}  // namespace nouq
