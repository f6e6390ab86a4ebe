#include "core/group.h"

#include "core/error.h"

namespace nouq {

void Group::require_not_abandoned() const {
  if (abandoned_) throw_failure("the ranks that share the network have been given up");
}

void Group::exchange(const Outgoing& outgoing, const Incoming& incoming) {
  require_not_abandoned();
  const int own = rank();
  std::copy(outgoing[own].begin(), outgoing[own].end(), incoming[own].begin());
  for (int r = 0; r < size(); ++r) bytes_sent_ += r == own ? 0 : outgoing[r].size();
  move(outgoing, incoming);
}

Group& group_of_one() {
  static Group one;
  return one;
}

void spread(Group& group, std::span<std::byte> bytes) {
  if (group.size() == 1) return;
  Group::Outgoing outgoing(group.size());
  Group::Incoming incoming(group.size());
  if (group.rank() > 0) {
    incoming[0] = bytes;
  } else {
    std::fill(outgoing.begin() + 1, outgoing.end(), bytes);
  }
  group.exchange(outgoing, incoming);
}

bool agreed(Group& group, bool own) {
  std::byte word{own ? std::uint8_t{1} : std::uint8_t{0}};
  spread(group, std::span(&word, 1));
  return word != std::byte{0};
}

}  // namespace nouq
