// Fourier modes on their way between the ranks that have the samples and those that own the modes.
//
// Layout: by sample [mode][own sample][columns], all modes of this rank's samples; by mode [own
// mode][sample][columns], this rank's modes of all samples. Contract: numbers are moved, never changed.
#pragma once

#include "core/buffer.h"
#include "core/group.h"

namespace nouq {

template <class T>
class ModeExchange {
 public:
  ModeExchange(Group& group, Index modes, int threads) : group_(group), modes_(modes), threads_(threads) {}

  [[nodiscard]] Group& group() const { return group_; }
  [[nodiscard]] IndexRange own_modes() const { return group_.share(modes_); }

  // `batch`: of all ranks.
  void to_owners(Index batch, Index columns, const T* by_sample, T* by_mode);
  void to_samples(Index batch, Index columns, const T* by_mode, T* by_sample);

  [[nodiscard]] std::size_t memory() const { return packed_.size() * sizeof(T); }

 private:
  [[nodiscard]] IndexRange modes_of(int rank) const { return share_of(modes_, rank, group_.size()); }
  [[nodiscard]] IndexRange samples_of(Index batch, int rank) const {
    return share_of(batch, rank, group_.size());
  }
  // Between [own mode][sample] and what is sent: a block [own mode][sample of the rank] for every rank.
  template <class Copy>
  void over_blocks(Index batch, Index columns, const Copy& copy);
  std::span<T> block(Index batch, Index columns, int rank);

  Group& group_;
  Index modes_;
  int threads_;
  Buffer<T> packed_;
};

}  // namespace nouq
