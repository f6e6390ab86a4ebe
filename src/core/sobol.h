// Sobol's sequence: points that fill a unit cube evenly, however many of them are taken.
//
// Why: designs of runs. I. M. Sobol', "On the distribution of points in a cube", 1967, with the direction
// numbers of Joe and Kuo (2008) and Gray code. Contract: up to 10 dimensions; the first 2^k points, or any
// 2^k from a multiple of 2^k, have one in each of 2^k equal intervals along every axis. A seed other than 0
// shifts all points by the same random bits per axis, which keeps that.
#pragma once

#include <cstdint>
#include <vector>

#include <nouq/array.h>

namespace nouq {

constexpr Index most_sobol_dimensions = 10;

// Point `index` of the sequence, in [0, 1).
std::vector<double> sobol_point(Index dimensions, std::uint64_t index, std::uint64_t seed = 0);

}  // namespace nouq
