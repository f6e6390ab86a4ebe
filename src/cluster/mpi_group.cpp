#include "cluster/mpi_group.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace nouq {
namespace {

std::atomic<bool> exchange_left = false;

// Between two looks at what has arrived: at once as long as the others may be about to send; then ever more
// seldom, for the cores may be wanted by others, the ranks waited for among them.
class Patient {
 public:
  void pause() const {
    const auto waited = std::chrono::steady_clock::now() - since_;
    if (waited < std::chrono::milliseconds(2))
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(waited < std::chrono::seconds(1) ? 50 : 2000));
  }

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

class MpiGroup final : public Group {
 public:
  MpiGroup(MPI_Comm communicator, std::vector<int> members, int own)
      : communicator_(communicator),
        members_(std::move(members)),
        rank_(static_cast<int>(std::find(members_.begin(), members_.end(), own) - members_.begin())) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(members_.size()); }

 protected:
  void move(const Outgoing& outgoing, const Incoming& incoming) override {
    requests_.clear();
    {
      const std::lock_guard guard(mpi_mutex());
      for (int r = 0; r < size(); ++r) {
        if (r != rank_) receive(r, incoming[r]);
      }
      for (int r = 0; r < size(); ++r) {
        if (r != rank_) send(r, outgoing[r]);
      }
    }
    const Patient patient;
    while (!all_arrived()) {
      leave_if_abandoned();
      patient.pause();
    }
  }

 private:
  void receive(int from, std::span<std::byte> bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += longest_piece) {
      const auto piece = bytes.subspan(at, std::min(longest_piece, bytes.size() - at));
      MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, members_[from], 0, communicator_,
                &requests_.emplace_back());
    }
  }
  void send(int to, std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += longest_piece) {
      const auto piece = bytes.subspan(at, std::min(longest_piece, bytes.size() - at));
      MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, members_[to], 0, communicator_,
                &requests_.emplace_back());
    }
  }
  bool all_arrived() {
    const std::lock_guard guard(mpi_mutex());
    int all = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE);
    return all != 0;
  }
  void leave_if_abandoned() const {
    try {
      require_not_abandoned();
    } catch (...) {
      exchange_left = true;
      throw;
    }
  }

  MPI_Comm communicator_;
  std::vector<int> members_;
  int rank_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::mutex& mpi_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::unique_ptr<Group> make_mpi_group(MPI_Comm communicator, const std::vector<int>& members, int own_rank) {
  return std::make_unique<MpiGroup>(communicator, members, own_rank);
}

bool left_an_exchange() { return exchange_left; }

}  // namespace nouq
