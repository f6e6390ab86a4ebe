#include "data/resampling.h"

#include <algorithm>

#include "core/error.h"
#include "core/grid_domain.h"

namespace nouq {
namespace {

// Lagrange's polynomials of some points, at x.
template <std::size_t N>
std::array<double, N> lagrange(const std::array<double, N>& points, Index count, double x) {
  std::array<double, N> weights{};
  for (Index i = 0; i < count; ++i) {
    weights[i] = 1;
    for (Index j = 0; j < count; ++j) {
      if (j != i) weights[i] *= (x - points[j]) / (points[i] - points[j]);
    }
  }
  return weights;
}

}  // namespace

std::vector<Resampling::Stencil> Resampling::stencils(const Axis& from, const Axis& to) {
  const std::vector<double>& x = from.coordinates;
  const Index n = from.size();
  const double period = from.periodic() && n > 1
                            ? (x.back() - x.front()) / static_cast<double>(n - 1) * static_cast<double>(n)
                            : 0;
  std::vector<Stencil> list;
  for (const double at : to.coordinates) {
    const bool beyond = period == 0 && (at < x.front() || at > x.back());
    const Index count = std::min<Index>(beyond ? 2 : 4, n);
    const Index below = std::upper_bound(x.begin(), x.end(), at) - x.begin() - 1;
    Index first = below - (count - 1) / 2;
    if (period == 0) first = std::clamp<Index>(first, 0, n - count);
    Stencil stencil{};
    std::array<double, 4> places{};
    for (Index i = 0; i < count; ++i) {
      const Index wrapped = ((first + i) % n + n) % n;
      stencil.points[i] = wrapped;
      places[i] = x[wrapped] + period * static_cast<double>((first + i - wrapped) / n);
    }
    stencil.weights = lagrange(places, count, at);
    stencil.around = count < 4 ? -1 : std::clamp<Index>(below - first, 0, 2);
    list.push_back(stencil);
  }
  return list;
}

template <class T>
T Resampling::value(const Stencil& s, const std::array<T, 4>& v) {
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (s.weights[k] != 0) sum += s.weights[k] * static_cast<double>(v[k]);
  }
  const auto result = static_cast<T>(sum);
  const bool rises = v[0] <= v[1] && v[1] <= v[2] && v[2] <= v[3];
  const bool falls = v[0] >= v[1] && v[1] >= v[2] && v[2] >= v[3];
  if (s.around < 0 || !(rises || falls)) return result;
  const auto [low, high] = std::minmax(v[s.around], v[s.around + 1]);
  return std::clamp(result, low, high);
}

Resampling::Resampling(const Grid& from, const Grid& to) : from_(shape_of(from)), to_(shape_of(to)) {
  require(from.size() == to.size(), "a field over {} axes on a grid of {}", from.size(), to.size());
  require_same_domain(from, to, "");
  for (std::size_t a = 0; a < from.size(); ++a)
    axes_.push_back(same_points({from[a]}, {to[a]}) ? std::vector<Stencil>() : stencils(from[a], to[a]));
}

template <class T>
void Resampling::apply(const T* field, Index channels, T* out) const {
  std::vector<T> current(field, field + element_count(from_) * channels), next;
  Index outer = 1, inner = element_count(from_) * channels;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    inner /= from_[a];
    if (!axes_[a].empty()) {
      next.assign(outer * to_[a] * inner, T(0));
      for (Index row = 0; row < outer * to_[a]; ++row) {
        const Stencil& s = axes_[a][row % to_[a]];
        const T* line = current.data() + row / to_[a] * from_[a] * inner;
        for (Index i = 0; i < inner; ++i) {
          std::array<T, 4> v{};
          for (std::size_t k = 0; k < 4; ++k) v[k] = line[s.points[k] * inner + i];
          next[row * inner + i] = value(s, v);
        }
      }
      current.swap(next);
    }
    outer *= to_[a];
  }
  std::copy(current.begin(), current.end(), out);
}

template void Resampling::apply(const float*, Index, float*) const;
template void Resampling::apply(const double*, Index, double*) const;

}  // namespace nouq
