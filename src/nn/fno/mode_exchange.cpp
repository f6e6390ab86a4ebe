#include "nn/fno/mode_exchange.h"

#include "core/threads.h"

namespace nouq {

template <class T>
std::span<T> ModeExchange<T>::block(Index batch, Index columns, int rank) {
  const Index own = own_modes().size() * columns;
  const IndexRange samples = samples_of(batch, rank);
  return {packed_.data() + own * samples.begin, static_cast<std::size_t>(own * samples.size())};
}

template <class T>
template <class Copy>
void ModeExchange<T>::over_blocks(Index batch, Index columns, const Copy& copy) {
  parallel_for(threads_, own_modes().size(), [&](Index mode) {
    for (int rank = 0; rank < group_.size(); ++rank) {
      const IndexRange samples = samples_of(batch, rank);
      T* packed = block(batch, columns, rank).data() + mode * samples.size() * columns;
      copy(packed, (mode * batch + samples.begin) * columns, samples.size() * columns);
    }
  });
}

template <class T>
void ModeExchange<T>::to_owners(Index batch, Index columns, const T* by_sample, T* by_mode) {
  packed_.resize(static_cast<std::size_t>(own_modes().size() * batch * columns));
  const Index own = samples_of(batch, group_.rank()).size() * columns;
  Group::Outgoing outgoing;
  Group::Incoming incoming;
  for (int rank = 0; rank < group_.size(); ++rank) {
    outgoing.push_back(bytes_of_rows(by_sample, modes_of(rank), own));
    incoming.push_back(std::as_writable_bytes(block(batch, columns, rank)));
  }
  group_.exchange(outgoing, incoming);
  over_blocks(batch, columns,
              [&](const T* packed, Index at, Index count) { std::copy_n(packed, count, by_mode + at); });
}

template <class T>
void ModeExchange<T>::to_samples(Index batch, Index columns, const T* by_mode, T* by_sample) {
  packed_.resize(static_cast<std::size_t>(own_modes().size() * batch * columns));
  over_blocks(batch, columns,
              [&](T* packed, Index at, Index count) { std::copy_n(by_mode + at, count, packed); });
  const Index own = samples_of(batch, group_.rank()).size() * columns;
  Group::Outgoing outgoing;
  Group::Incoming incoming;
  for (int rank = 0; rank < group_.size(); ++rank) {
    outgoing.push_back(std::as_bytes(block(batch, columns, rank)));
    incoming.push_back(bytes_of_rows(by_sample, modes_of(rank), own));
  }
  group_.exchange(outgoing, incoming);
}

template class ModeExchange<float>;
template class ModeExchange<double>;

}  // namespace nouq
