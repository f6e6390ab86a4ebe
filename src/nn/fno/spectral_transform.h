// From a field to its kept complex Fourier modes and back, over one, two or three axes.
//
// Why: each axis is transformed in its real basis (kernels/axis_transform.h); a complex mode is then a signed
// sum of at most 2^axes of those coefficients. Synthesis is the transpose of analysis with weights, so
// forward and backward passes of the network use the same two routines:
//
//   forward:   F = A h,                 u  = A' (w Y)
//   backward:  dY = w (A du),           dh = A' dF        w(k) = (1 or 2) / number of points
//
// where w is 1 at zero frequency of the last axis (and at an even axis' Nyquist frequency), 2 otherwise: the
// last axis keeps only k >= 0 and a real field owes the rest to its conjugates.
//
// Layout: fields are [last axis]...[axis 1][axis 0][channel]. A row along axis 0 is a slice; the network
// works slice by slice, so axis 0 is left to it (`along_x`), and this class does the rest on [slices][rows of
// axis 0][channels]. Modes are complex rows [mode][batch][2][channels]; mode index: axis 0 fastest, a
// two-sided axis ordered 0..m-1, -m..-1.
#pragma once

#include <vector>

#include "kernels/axis_transform.h"
#include "kernels/rows.h"

namespace nouq {

template <class T>
class SpectralTransform {
 public:
  // points: the field's own grid; lengths: with padding; modes: kept per axis.
  SpectralTransform(const Shape& points, const std::vector<Index>& lengths, const std::vector<Index>& modes);

  [[nodiscard]] const AxisTransform<T>& along_x() const { return axes_[0]; }
  [[nodiscard]] Index mode_count() const { return mode_count_; }
  [[nodiscard]] Index row_count() const { return row_count_; }      // real coefficients per channel
  [[nodiscard]] Index slice_count() const { return slice_count_; }  // with padding
  // Slices that are not padding, ascending.
  [[nodiscard]] const std::vector<Index>& inner_slices() const { return inner_slices_; }

  // Sizes of scratch the calls below want, in numbers, for fields of `channels` channels.
  [[nodiscard]] Index scratch_size(Index channels) const;

  // slices: [slice_count][rows of axis 0][channels], result: [row_count][channels]. With `inner`, slices in
  // the padding are not read and count as zero.
  void analyse_slices(const T* slices, bool inner, Index channels, T* coefficients, T* scratch) const;
  // The transpose. With `inner`, only slices outside the padding are written.
  void synthesise_slices(const T* coefficients, bool inner, Index channels, T* slices, T* scratch) const;

  // Real coefficients of one sample into its rows of the modes, and back. `modes` points at the sample's
  // first row.
  enum class Weight { none, synthesis };
  void combine(const T* coefficients, Weight weight, Index channels, Index batch, T* modes) const;
  void separate(const T* modes, Weight weight, Index channels, Index batch, T* coefficients) const;

  // Modes of a field in the user's order [axis 0][axis 1]...[channel], unpadded.
  void analyse_natural(const T* field, Index channels, Index batch, T* modes, T* scratch) const;
  // Its transpose: from modes to a field in the user's order.
  void synthesise_natural(const T* modes, Index channels, Index batch, T* field, T* scratch) const;

 private:
  struct Tables {
    RowTable<T> combine;
    RowTable<T> separate;
  };
  Tables make_tables(const std::vector<Index>& row_strides, bool weighted) const;
  [[nodiscard]] double synthesis_weight(Index last_frequency) const;

  std::vector<AxisTransform<T>> axes_;
  Shape points_;
  std::vector<Index> modes_;
  Index mode_count_ = 1;
  Index row_count_ = 1;
  Index slice_count_ = 1;
  Index point_count_ = 1;  // of the padded grid
  std::vector<Index> inner_slices_;
  Tables plain_, weighted_, natural_;
};

}  // namespace nouq
