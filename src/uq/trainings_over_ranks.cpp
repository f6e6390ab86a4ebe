#include "uq/trainings_over_ranks.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <set>

#include "core/checksum.h"
#include "core/error.h"
#include "core/file.h"
#include "core/shared_work.h"
#include "core/threads.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

enum class News : std::uint8_t { resumed, epoch };

// What one network's training tells rank 0: of quick epochs a few a second.
class Teller final : public TrainObserver {
 public:
  Teller(Index task, Index epochs, Desk& desk) : task_(task), epochs_(epochs), desk_(desk) {}

  void on_resume(Index next_epoch) override {
    desk_.tell(task_, Packer().add(News::resumed).add(next_epoch).take());
  }
  void on_epoch(const EpochRecord& record, Index best_epoch) override {
    const auto now = std::chrono::steady_clock::now();
    if (record.epoch + 1 < epochs_ && now - told_ < std::chrono::milliseconds(200)) return;
    told_ = now;
    desk_.tell(task_, Packer().add(News::epoch).add(record).add(best_epoch).take());
  }
  bool should_stop() override { return desk_.stopping(); }

 private:
  Index task_, epochs_;
  Desk& desk_;
  std::chrono::steady_clock::time_point told_;
};

// A file of rank 0 by which the others see whether its folder is theirs.
class Token {
 public:
  explicit Token(const fs::path& folder) : path_(folder / ".shared-folder") {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    path_ += fmt::format("-{:x}", crc64(std::as_bytes(std::span(&now, 1))));
    write_file_atomically(path_, std::string_view("rank 0 writes here\n"));
  }
  ~Token() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  Token(const Token&) = delete;
  Token& operator=(const Token&) = delete;
  [[nodiscard]] std::string name() const { return path_.filename().string(); }

 private:
  fs::path path_;
};

Bytes bytes_of(const fs::path& file) {
  if (!file_exists(file)) return {};
  const MappedFile mapped(file);
  return {mapped.bytes().begin(), mapped.bytes().end()};
}

void put(const fs::path& file, std::span<const std::byte> bytes) {
  const std::span<const std::byte> parts[] = {bytes};
  write_file_atomically(file, parts);
}

// One rank's part in a network.
struct Task {
  Index network;
  int rank = -1;      // whose it is; -1: whoever asks
  bool first = true;  // of the ranks that share the network
};

// Which ranks train a network together, when there are at least as many ranks as networks; no more than its
// batches have samples.
std::vector<int> members_of(const TrainingPlan& plan, Index network, int ranks) {
  const IndexRange all = share_of(ranks, static_cast<int>(network), static_cast<int>(plan.count()));
  std::vector<int> members;
  for (Index r = all.begin; r < all.end && std::ssize(members) < plan.different[network].options.batch; ++r)
    members.push_back(static_cast<int>(r));
  return members;
}

class TrainingsWork final : public SharedWork {
 public:
  TrainingsWork(Communicator& communicator, const TrainingPlan& plan, const TrainingsOptions& options,
                FitObserver& observer)
      : leads_(communicator.rank() == 0), plan_(plan), options_(options), observer_(observer) {
    plan_tasks(communicator);
    const int threads = resolve_threads(options.threads);
    const Index fair = (plan.count() + communicator.size() - 1) / communicator.size();
    workers_ = static_cast<int>(std::min<Index>(threads, fair));
    threads_each_ = threads / workers_;
    make_folder(options.folder, "checkpoints");
    if (!leads_) return;
    sees_.insert(0);
    token_.emplace(options.folder);
    observer_.on_start(plan.costs(), plan.epochs());
  }
  // What this rank trained in a folder of its own is with rank 0; one without work leaves no folder either.
  ~TrainingsWork() override {
    std::error_code ignored;
    for (const fs::path& file : lent_) fs::remove(file, ignored);
    if (has_own_folder_) fs::remove(options_.folder, ignored);  // fails when something else is in there
  }
  TrainingsWork(const TrainingsWork&) = delete;
  TrainingsWork& operator=(const TrainingsWork&) = delete;

  [[nodiscard]] Index count() const override { return std::ssize(tasks_); }
  [[nodiscard]] int workers() const override { return workers_; }
  [[nodiscard]] std::string identity() const override {
    std::uint64_t sum = 0;
    for (const std::string& one : plan_.fingerprints) sum = crc64(std::as_bytes(std::span(one)), sum);
    return fmt::format("{} trainings {:016x}", plan_.count(), sum);
  }

  std::string greeting() override { return token_->name(); }
  std::string answer(const std::string& token) override {
    has_own_folder_ = !file_exists(options_.folder / token);
    return has_own_folder_ ? "own" : "shared";
  }
  void hear_answer(int rank, const std::string& answer) override {
    if (answer == "shared") sees_.insert(rank);
  }

  // Another job may be at the network, where several share a folder.
  std::optional<Bytes> hand_out(Index task, int rank) override {
    const auto& [network, whose, first] = tasks_[task];
    if (whose >= 0 && whose != rank) return std::nullopt;
    if (options_.shared && !lock(network)) return std::nullopt;
    return !first || sees_.contains(rank) ? Bytes{} : bytes_of(file_of(network));
  }

  Bytes perform(Index task, std::span<const std::byte> given, Desk& desk) override {
    const auto& [network, whose, first] = tasks_[task];
    if (!first) {
      TrainObserver silent;
      train_one(plan_, network, options_, threads_each_, silent, group_.get());
      return {};
    }
    const fs::path file = file_of(network);
    if (!given.empty()) put(file, given);
    Teller teller(task, plan_.different[network].options.epochs, desk);
    train_one(plan_, network, options_, threads_each_, teller, group_.get());
    if (!has_own_folder_) return {};
    const std::lock_guard guard(mutex_);
    lent_.insert(file);
    return bytes_of(file);
  }

  void hear(Index task, std::span<const std::byte> news) override {
    const Index network = tasks_[task].network;
    Unpacker message(news);
    if (message.number<News>() == News::resumed) return observer_.on_resume(network, message.number<Index>());
    const auto record = message.number<EpochRecord>();
    observer_.on_epoch(network, record, message.number<Index>());
  }

  void receive(Index task, std::span<const std::byte> checkpoint, bool whole) override {
    const auto& [network, whose, first] = tasks_[task];
    if (!first) return;
    if (!checkpoint.empty()) put(file_of(network), checkpoint);
    locks_.erase(network);
    if (whole) observer_.on_finish(network);
  }
  void follow_up(Index task) override {
    if (tasks_[task].first) observer_.on_released(plan_.fingerprints[tasks_[task].network]);
  }
  void abandon() override {
    if (group_) group_->abandon();
  }
  bool should_stop() override { return observer_.should_stop(); }

 private:
  [[nodiscard]] fs::path file_of(Index network) const {
    return training_file(options_.folder, plan_.fingerprints[network]);
  }

  // Networks first: only ranks that would have none get a part in another's.
  void plan_tasks(Communicator& communicator) {
    const int ranks = communicator.size();
    const bool together = plan_.count() < ranks && communicator.has_groups() && can_be_shared(plan_);
    for (Index network = 0; network < plan_.count(); ++network) {
      if (!together) {
        tasks_.push_back({network});
        continue;
      }
      const std::vector<int> members = members_of(plan_, network, ranks);
      for (const int rank : members) {
        tasks_.push_back({network, rank, rank == members.front()});
        if (rank == communicator.rank() && members.size() > 1) group_ = communicator.group(members);
      }
    }
  }

  bool lock(Index network) {
    if (locks_.contains(network)) return true;
    const auto now = std::chrono::steady_clock::now();
    if (const auto tried = tried_.find(network);
        tried != tried_.end() && now - tried->second < std::chrono::milliseconds(200))
      return false;
    tried_[network] = now;
    auto own = LockFile::try_lock(training_lock(options_.folder, plan_.fingerprints[network]));
    if (own) locks_.emplace(network, std::move(*own));
    return own.has_value();
  }

  bool leads_;
  const TrainingPlan& plan_;
  const TrainingsOptions& options_;
  FitObserver& observer_;
  int workers_, threads_each_;
  std::vector<Task> tasks_;
  std::unique_ptr<Group> group_;                                  // with which this rank shares a network
  std::optional<Token> token_;                                    // of rank 0
  std::set<int> sees_;                                            // ranks that see rank 0's folder
  std::map<Index, LockFile> locks_;                               // of networks that are handed out
  std::map<Index, std::chrono::steady_clock::time_point> tried_;  // when its lock was asked for
  bool has_own_folder_ = false;                                   // a rank that does not see rank 0's
  std::mutex mutex_;
  std::set<fs::path> lent_;
};

}  // namespace

bool train_over_ranks(Communicator& communicator, const TrainingPlan& plan, const TrainingsOptions& options,
                      FitObserver& observer) {
  TrainingsWork work(communicator, plan, options, observer);
  return share(communicator, work);
}

}  // namespace nouq
