// The ranks of a job: processes of one program, on one machine or many, that send each other messages.
//
// Why an interface: libnouq shares its work over ranks without knowing MPI; the tool alone is linked with an
// implementation (src/cluster). When: `ranks()` where a loop over whole networks or samples may be shared
// (core/shared_work.h). One process is the default: rank 0 of 1, which has nobody to write to. Contract: all
// ranks run the same command; what follows from it alone every rank works out for itself. Rank 0 leads: it
// writes results and prints. Messages between two ranks arrive in the order in which they were posted, and
// only one thread of a process, always the same, posts and polls.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/group.h"
#include "core/message.h"

namespace nouq {

// Which share of the networks a process trains that has no ranks to write to: those whose number is `index`
// modulo `count`. An array of jobs has one process per part.
struct Part {
  int index = 0;
  int count = 1;
};

class Communicator {
 public:
  struct Mail {
    int from = 0;
    Bytes bytes;
  };

  virtual ~Communicator() = default;
  [[nodiscard]] virtual int rank() const { return 0; }
  [[nodiscard]] virtual int size() const { return 1; }
  // "rank 3 on node17", for messages.
  [[nodiscard]] virtual std::string name_of(int rank) const;
  // Returns at once; the message is on its way while the process goes on to poll.
  virtual void post(int to, Bytes message);
  // The next message that has arrived, if there is one.
  virtual std::optional<Mail> poll() { return std::nullopt; }
  // Rank 0 needs this rank no longer.
  [[nodiscard]] virtual bool dismissed() const { return false; }
  [[nodiscard]] virtual Part part() const { return {}; }
  // Some of the ranks, ascending and this one among them, for work in step (core/group.h); nothing is sent
  // for it. Its exchanges may be made by another thread than the one that posts and polls. nullptr: these
  // ranks cannot.
  [[nodiscard]] virtual std::unique_ptr<Group> group(const std::vector<int>& /*members*/) { return nullptr; }
  [[nodiscard]] virtual bool has_groups() const { return false; }
};

// One process of an array of jobs.
class OnePart final : public Communicator {
 public:
  explicit OnePart(Part part) : part_(part) {}
  [[nodiscard]] Part part() const override { return part_; }

 private:
  Part part_;
};

// Those of this process.
Communicator& ranks();
// From now on; nullptr: one process. The communicator must outlive its use.
void use_ranks(Communicator* communicator);

// Whether this process goes on alone with what has been trained together: rank 0, and no part.
bool leads(const Communicator& communicator);

// Thrown by a process that does not lead when there is nothing left for it to do. No error, and so no Error:
// whoever handles errors must not take it for one.
class Released final : public std::exception {
 public:
  explicit Released(std::string word) : word_(std::move(word)) {}
  [[nodiscard]] const char* what() const noexcept override { return word_.c_str(); }

 private:
  std::string word_;  // for the user; empty on a rank
};

// Throws Released unless this process leads.
void release_others(const Communicator& communicator);

// What rank 0 says, on every rank: for what only rank 0 can know. Called by all of them. A part has nobody to
// ask and takes its own.
std::string agreed(Communicator& communicator, std::string own);

}  // namespace nouq
