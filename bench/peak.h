// What this machine can do, measured: the ceiling our figures are compared with.
#pragma once

namespace nouq::bench {

// Single-precision multiply-adds in registers alone, one thread, in GFLOP/s (a multiply-add is two).
double measure_fma_peak();
// Reading two arrays and writing one, far larger than the caches, one thread, in GB/s.
double measure_bandwidth();

}  // namespace nouq::bench
