#include "nn/fno/spectral_transform.h"

#include <algorithm>
#include <array>
#include <bit>

namespace nouq {
namespace {

// A mode's frequency along one axis: position q in 0..2m-1 (two-sided) or 0..m-1.
struct Frequency {
  Index magnitude;
  int sign;
};

Frequency frequency(Index position, Index modes) {
  return position < modes ? Frequency{position, +1} : Frequency{2 * modes - position, -1};
}

}  // namespace

template <class T>
SpectralTransform<T>::SpectralTransform(const Shape& points, const std::vector<Index>& lengths,
                                        const std::vector<Index>& modes)
    : points_(points), modes_(modes) {
  std::vector<Index> strides;          // of the axes' rows in [last]...[axis 0]
  std::vector<Index> natural_strides;  // and in [axis 0]...[last]
  for (std::size_t j = 0; j < modes.size(); ++j) {
    const bool last = j + 1 == modes.size();
    axes_.emplace_back(lengths[j], last ? modes[j] : modes[j] + 1);
    mode_count_ *= last ? modes[j] : 2 * modes[j];
    strides.push_back(row_count_);
    row_count_ *= axes_.back().rows();
    point_count_ *= lengths[j];
    if (j > 0) slice_count_ *= lengths[j];
    natural_strides.push_back(1);
    for (std::size_t i = 0; i < j; ++i) natural_strides[i] *= axes_.back().rows();
  }
  const Index length_1 = lengths.size() > 1 ? lengths[1] : 1;
  const Index points_1 = points.size() > 1 ? points[1] : 1;
  const Index points_2 = points.size() > 2 ? points[2] : 1;
  for (Index z = 0; z < points_2; ++z) {
    for (Index y = 0; y < points_1; ++y) inner_slices_.push_back(z * length_1 + y);
  }
  plain_ = make_tables(strides, false);
  weighted_ = make_tables(strides, true);
  natural_ = make_tables(natural_strides, false);
}

template <class T>
double SpectralTransform<T>::synthesis_weight(Index last_frequency) const {
  const bool alone = last_frequency == 0 || 2 * last_frequency == axes_.back().length();
  return (alone ? 1.0 : 2.0) / static_cast<double>(point_count_);
}

// A mode with signs s_j is the sum over cosine/sine choices of prod_j (-i s_j)^{sine_j} times the real
// coefficient.
template <class T>
typename SpectralTransform<T>::Tables SpectralTransform<T>::make_tables(const std::vector<Index>& row_strides,
                                                                        bool weighted) const {
  const std::size_t axes = axes_.size();
  std::vector<std::vector<RowTerm<T>>> by_row(row_count_);
  Tables tables;
  for (Index mode = 0; mode < mode_count_; ++mode) {
    std::array<Frequency, 3> f{};
    Index rest = mode;
    for (std::size_t j = 0; j < axes; ++j) {
      const Index positions = j + 1 == axes ? modes_[j] : 2 * modes_[j];
      f[j] = frequency(rest % positions, modes_[j]);
      rest /= positions;
    }
    const auto weight = static_cast<T>(weighted ? synthesis_weight(f[axes - 1].magnitude) : 1.0);
    std::array<std::vector<RowTerm<T>>, 2> parts;
    for (unsigned choice = 0; choice < (1U << axes); ++choice) {
      Index row = 0;
      T sign = weight;
      bool exists = true;
      for (std::size_t j = 0; j < axes; ++j) {
        const bool sine = ((choice >> j) & 1U) != 0;
        exists = exists && (!sine || f[j].magnitude > 0);
        row +=
            row_strides[j] * (sine ? axes_[j].sine_row(f[j].magnitude) : axes_[j].cosine_row(f[j].magnitude));
        if (sine && f[j].sign < 0) sign = -sign;
      }
      if (!exists) continue;
      const int sines = std::popcount(choice);  // (-i)^sines: 1, -i, -1, +i
      if (sines == 1 || sines == 2) sign = -sign;
      const int part = sines % 2;
      parts[part].push_back({static_cast<std::int32_t>(row), 0, sign});
      by_row[row].push_back({static_cast<std::int32_t>(mode), part, sign});
    }
    for (int part = 0; part < 2; ++part) {
      tables.combine.out.push_back({static_cast<std::int32_t>(mode), part, 0});
      tables.combine.first_term.push_back(std::ssize(tables.combine.terms));
      const auto& terms = parts[part];
      tables.combine.terms.insert(tables.combine.terms.end(), terms.begin(), terms.end());
    }
  }
  tables.combine.first_term.push_back(std::ssize(tables.combine.terms));
  for (std::size_t row = 0; row < by_row.size(); ++row) {
    tables.separate.out.push_back({static_cast<std::int32_t>(row), 0, 0});
    tables.separate.first_term.push_back(std::ssize(tables.separate.terms));
    tables.separate.terms.insert(tables.separate.terms.end(), by_row[row].begin(), by_row[row].end());
  }
  tables.separate.first_term.push_back(std::ssize(tables.separate.terms));
  return tables;
}

template <class T>
void SpectralTransform<T>::combine(const T* coefficients, Weight weight, Index channels, Index batch,
                                   T* modes) const {
  const Tables& tables = weight == Weight::none ? plain_ : weighted_;
  gather_rows(tables.combine, coefficients, {channels, 0}, channels, modes, {batch * 2 * channels, channels});
}

template <class T>
void SpectralTransform<T>::separate(const T* modes, Weight weight, Index channels, Index batch,
                                    T* coefficients) const {
  const Tables& tables = weight == Weight::none ? plain_ : weighted_;
  gather_rows(tables.separate, modes, {batch * 2 * channels, channels}, channels, coefficients,
              {channels, 0});
}

template <class T>
Index SpectralTransform<T>::scratch_size(Index channels) const {
  Index fold = 0;
  Index natural = channels;
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    fold = std::max(fold, axes_[j].scratch_size());
    natural *= std::max(points_[j], axes_[j].rows());
  }
  const Index between =
      axes_.size() < 3 ? 0 : axes_[2].length() * axes_[1].rows() * axes_[0].rows() * channels;
  return fold + std::max(between, 2 * natural);
}

template <class T>
void SpectralTransform<T>::analyse_slices(const T* slices, bool inner, Index channels, T* coefficients,
                                          T* scratch) const {
  const Index columns = axes_[0].rows() * channels;
  const auto wanted = [&](std::size_t j) { return inner ? points_[j] : axes_[j].length(); };
  if (axes_.size() == 1) {
    std::copy_n(slices, columns, coefficients);
  } else if (axes_.size() == 2) {
    axes_[1].analyse(slices, wanted(1), columns, coefficients, scratch);
  } else {
    T* fold = scratch;
    T* between = scratch + std::max(axes_[1].scratch_size(), axes_[2].scratch_size());
    for (Index z = 0; z < wanted(2); ++z) {
      axes_[1].analyse(slices + z * axes_[1].length() * columns, wanted(1), columns,
                       between + z * axes_[1].rows() * columns, fold);
    }
    axes_[2].analyse(between, wanted(2), axes_[1].rows() * columns, coefficients, fold);
  }
}

template <class T>
void SpectralTransform<T>::synthesise_slices(const T* coefficients, bool inner, Index channels, T* slices,
                                             T* scratch) const {
  const Index columns = axes_[0].rows() * channels;
  const auto wanted = [&](std::size_t j) { return inner ? points_[j] : axes_[j].length(); };
  if (axes_.size() == 1) {
    std::copy_n(coefficients, columns, slices);
  } else if (axes_.size() == 2) {
    axes_[1].synthesise(coefficients, wanted(1), columns, slices);
  } else {
    axes_[2].synthesise(coefficients, wanted(2), axes_[1].rows() * columns, scratch);
    for (Index z = 0; z < wanted(2); ++z) {
      axes_[1].synthesise(scratch + z * axes_[1].rows() * columns, wanted(1), columns,
                          slices + z * axes_[1].length() * columns);
    }
  }
}

template <class T>
void SpectralTransform<T>::analyse_natural(const T* field, Index channels, Index batch, T* modes,
                                           T* scratch) const {
  Index largest = channels;
  Index inner = channels;
  Index fold_size = 0;
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    largest *= std::max(points_[j], axes_[j].rows());
    inner *= points_[j];
    fold_size = std::max(fold_size, axes_[j].scratch_size());
  }
  T* fold = scratch;
  T* ping = scratch + fold_size;
  T* pong = ping + largest;
  const T* from = field;
  Index outer = 1;
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    inner /= points_[j];
    for (Index o = 0; o < outer; ++o) {
      axes_[j].analyse(from + o * points_[j] * inner, points_[j], inner, ping + o * axes_[j].rows() * inner,
                       fold);
    }
    outer *= axes_[j].rows();
    from = ping;
    std::swap(ping, pong);
  }
  gather_rows(natural_.combine, from, {channels, 0}, channels, modes, {batch * 2 * channels, channels});
}

template <class T>
void SpectralTransform<T>::synthesise_natural(const T* modes, Index channels, Index batch, T* field,
                                              T* scratch) const {
  Index largest = channels;
  for (std::size_t j = 0; j < axes_.size(); ++j) largest *= std::max(points_[j], axes_[j].rows());
  T* ping = scratch;
  T* pong = scratch + largest;
  gather_rows(natural_.separate, modes, {batch * 2 * channels, channels}, channels, ping, {channels, 0});
  Index outer = row_count_, inner = channels;
  for (std::size_t j = axes_.size(); j-- > 0;) {
    outer /= axes_[j].rows();
    T* to = j == 0 ? field : pong;
    for (Index o = 0; o < outer; ++o)
      axes_[j].synthesise(ping + o * axes_[j].rows() * inner, points_[j], inner, to + o * points_[j] * inner);
    inner *= points_[j];
    std::swap(ping, pong);
  }
}

template class SpectralTransform<float>;
template class SpectralTransform<double>;

}  // namespace nouq
