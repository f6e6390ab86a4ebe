// Ranks that work on one thing in step: what one of them does next, all do next, with messages between them.
//
// Why besides the Communicator: there rank 0 listens to what comes when it comes; here a step of a training
// cannot go on without the numbers of the others, and a pause of a millisecond is too long. When: one network
// that several ranks train together (nn/batch_share.h). Contract: every rank of the group makes the same
// calls with the same sizes, from one thread at a time. Nothing is added up on the way: numbers arrive as
// they were sent, so that who receives them adds in the order it wants. One process is a group of one, and
// sends nothing.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <nouq/array.h>

namespace nouq {

struct IndexRange {
  Index begin = 0, end = 0;
  [[nodiscard]] Index size() const { return end - begin; }
};

// The part of `count` things that is the rank's: contiguous, in the order of the ranks, the first ones one
// larger where it does not come out even. So the first thing is always rank 0's.
inline IndexRange share_of(Index count, int rank, int size) {
  const Index each = count / size, more = count % size;
  const auto begin = [&](Index r) { return r * each + std::min(r, more); };
  return {begin(rank), begin(rank + 1)};
}

class Group {
 public:
  using Outgoing = std::vector<std::span<const std::byte>>;  // one for every rank of the group
  using Incoming = std::vector<std::span<std::byte>>;

  Group() = default;
  virtual ~Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  [[nodiscard]] virtual int rank() const { return 0; }
  [[nodiscard]] virtual int size() const { return 1; }
  [[nodiscard]] IndexRange share(Index count) const { return share_of(count, rank(), size()); }

  // outgoing[r] arrives on rank r as its incoming[own rank], which has the same size. Throws when the group
  // was abandoned.
  void exchange(const Outgoing& outgoing, const Incoming& incoming);
  // Of this rank to others, since the beginning.
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

  // From another thread: who waits in an exchange now, or begins one, throws instead. For the end of a job of
  // which a rank has failed.
  void abandon() { abandoned_ = true; }

 protected:
  // To and from all other ranks.
  virtual void move(const Outgoing& /*outgoing*/, const Incoming& /*incoming*/) {}
  void require_not_abandoned() const;

 private:
  std::uint64_t bytes_sent_ = 0;
  std::atomic<bool> abandoned_ = false;
};

// The group of this process alone.
Group& group_of_one();

// What rank 0 of the group says.
bool agreed(Group& group, bool own);
// The bytes of rank 0, on all.
void spread(Group& group, std::span<std::byte> bytes);

template <class T>
std::span<const std::byte> bytes_of_rows(const T* rows, IndexRange range, Index columns) {
  return std::as_bytes(
      std::span(rows + range.begin * columns, static_cast<std::size_t>(range.size() * columns)));
}
template <class T>
std::span<std::byte> bytes_of_rows(T* rows, IndexRange range, Index columns) {
  return std::as_writable_bytes(
      std::span(rows + range.begin * columns, static_cast<std::size_t>(range.size() * columns)));
}

// [count][columns], of which every rank has its share of the rows: all of them, on all ranks.
template <class T>
void gather_rows(Group& group, Index count, Index columns, T* rows) {
  if (group.size() == 1) return;
  Group::Outgoing outgoing(group.size(),
                           bytes_of_rows(const_cast<const T*>(rows), group.share(count), columns));
  Group::Incoming incoming;
  for (int r = 0; r < group.size(); ++r)
    incoming.push_back(bytes_of_rows(rows, share_of(count, r, group.size()), columns));
  outgoing[group.rank()] = {};
  incoming[group.rank()] = {};
  group.exchange(outgoing, incoming);
}

// The same, on rank 0 of the group alone.
template <class T>
void gather_rows_at_first(Group& group, Index count, Index columns, T* rows) {
  if (group.size() == 1) return;
  Group::Outgoing outgoing(group.size());
  Group::Incoming incoming(group.size());
  if (group.rank() > 0) {
    outgoing[0] = bytes_of_rows(const_cast<const T*>(rows), group.share(count), columns);
  } else {
    for (int r = 1; r < group.size(); ++r)
      incoming[r] = bytes_of_rows(rows, share_of(count, r, group.size()), columns);
  }
  group.exchange(outgoing, incoming);
}

}  // namespace nouq
