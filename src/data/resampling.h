// Fields from one grid onto another over the same domain: cubic interpolation along each axis.
//
// Why: a network answers on its own points; whoever has the field elsewhere, at more, fewer or otherwise
// spaced points, asks there and is answered there. Contract: exact for rising or falling cubics. Where four
// neighbours rise or fall, values stay between the two around them, so a jump is not overshot. Beyond the
// first and the last point, by part of a cell, linear. Periodic axes continue where they began, for evenly
// spaced points. Axes with the same points cost nothing.
#pragma once

#include <array>
#include <vector>

#include <nouq/grid.h>

namespace nouq {

class Resampling {
 public:
  Resampling(const Grid& from, const Grid& to);

  // field: [from...][channels]; out: [to...][channels].
  template <class T>
  void apply(const T* field, Index channels, T* out) const;

 private:
  struct Stencil {
    std::array<Index, 4> points;
    std::array<double, 4> weights;
    // Of the four, the first of the two around the point; -1 beyond the ends, and where there are fewer.
    Index around;
  };
  template <class T>
  static T value(const Stencil& stencil, const std::array<T, 4>& v);
  static std::vector<Stencil> stencils(const Axis& from, const Axis& to);

  Shape from_, to_;
  std::vector<std::vector<Stencil>> axes_;  // per point of `to`; empty where the points are the same
};

}  // namespace nouq
