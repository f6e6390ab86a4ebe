#include "core/sobol.h"

#include <array>

#include <nouq/random.h>

#include "core/error.h"

namespace nouq {
namespace {

constexpr unsigned bits = 32;

// A primitive polynomial of some degree, its inner coefficients as bits, and the first direction numbers.
struct Polynomial {
  unsigned degree, inner;
  std::array<std::uint32_t, 5> first;
};
constexpr std::array<Polynomial, most_sobol_dimensions - 1> polynomials = {{{1, 0, {1}},
                                                                            {2, 1, {1, 3}},
                                                                            {3, 1, {1, 3, 1}},
                                                                            {3, 2, {1, 1, 1}},
                                                                            {4, 1, {1, 1, 3, 3}},
                                                                            {4, 4, {1, 3, 5, 13}},
                                                                            {5, 2, {1, 1, 5, 5, 17}},
                                                                            {5, 4, {1, 1, 5, 5, 5}},
                                                                            {5, 7, {1, 1, 7, 11, 19}}}};

using Directions = std::array<std::uint32_t, bits>;

Directions directions_of(Index dimension) {
  Directions v{};
  if (dimension == 0) {
    for (unsigned i = 0; i < bits; ++i) v[i] = 1U << (bits - 1 - i);
    return v;
  }
  const Polynomial& p = polynomials.at(dimension - 1);
  for (unsigned i = 0; i < p.degree; ++i) v[i] = p.first[i] << (bits - 1 - i);
  for (unsigned i = p.degree; i < bits; ++i) {
    v[i] = v[i - p.degree] ^ (v[i - p.degree] >> p.degree);
    for (unsigned k = 1; k < p.degree; ++k) {
      if (((p.inner >> (p.degree - 1 - k)) & 1U) != 0) v[i] ^= v[i - k];
    }
  }
  return v;
}

}  // namespace

std::vector<double> sobol_point(Index dimensions, std::uint64_t index, std::uint64_t seed) {
  require(dimensions >= 1 && dimensions <= most_sobol_dimensions,
          "a Sobol' sequence in {} dimensions: expected 1 to {}", dimensions, most_sobol_dimensions);
  require(index >> bits == 0, "point {} of a Sobol' sequence: expected less than 2^{}", index, bits);
  const std::uint64_t gray = index ^ (index >> 1U);
  std::vector<double> point;
  for (Index d = 0; d < dimensions; ++d) {
    const Directions v = directions_of(d);
    std::uint32_t x = 0;
    if (seed != 0)
      x = static_cast<std::uint32_t>(Stream(seed, Purpose::parameters).bits(static_cast<std::uint64_t>(d)) >>
                                     bits);
    for (unsigned i = 0; i < bits; ++i) {
      if (((gray >> i) & 1U) != 0) x ^= v[i];
    }
    point.push_back(static_cast<double>(x) / 4294967296.0);
  }
  return point;
}

}  // namespace nouq
