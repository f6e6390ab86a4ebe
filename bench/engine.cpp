// nouq_bench: the engine beside PyTorch and ONNX Runtime, and how its cost grows. Prints tables; decides
// nothing.
//
//   nouq_bench [peer] [growth] [--rows TEXT] [--rounds N] [--target NAME] [--peer-python PYTHON]
//
// Both tables without a name; only those rows whose names have TEXT in them, e.g. "step W=32", "heads=1 " or
// "ffno"; the kernels of a lesser target: portable, avx2 or avx512.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "case.h"
#include "kernels/target.h"
#include "peak.h"
#include "peer.h"

namespace nouq::bench {
namespace {

// The most memory this process ever held, as the kernel counts it.
double peak_resident_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) * 1.024e-3;
  }
  return 0;
}

void print_memory() {
  Case one(make_options("fno", 32, {12, 12}), {100, 20}, 20, 2);
  for (int i = 0; i < 3; ++i) one.run(Work::step);
  std::printf(
      "peak resident memory of training at W = 32, batch 20, 2 threads: %.0f MB, of which %.0f MB ours\n",
      peak_resident_megabytes(), one.megabytes());
}

void choose_target(const std::string& wanted) {
  for (const Target target : supported_targets()) {
    const std::string known = target == Target::avx512 ? "avx512"
                              : target == Target::avx2 ? "avx2"
                                                       : "portable";
    if (known == wanted) return force_target(target);
  }
  throw std::runtime_error("--target " + wanted +
                           ": expected portable, avx2 or avx512, what this processor has");
}

Request read(int argc, char** argv) {
  Request request;
  request.python = peer_python(argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool value_follows = i + 1 < argc;
    if (word == "peer") {
      request.peer = true;
    } else if (word == "growth") {
      request.growth = true;
    } else if (word == "--rows" && value_follows) {
      request.rows = argv[++i];
    } else if (word == "--rounds" && value_follows) {
      request.rounds = std::max(1, std::atoi(argv[++i]));
    } else if (word == "--target" && value_follows) {
      choose_target(argv[++i]);
    } else if (word == "--peer-python" && value_follows) {
      ++i;  // peer_python() has read it
    } else {
      throw std::runtime_error(
          "usage: nouq_bench [peer] [growth] [--rows TEXT] [--rounds N] [--target NAME] [--peer-python PYTHON]");
    }
  }
  if (!request.peer && !request.growth) request.peer = request.growth = true;
  return request;
}

void run(Request request) {
  print_memory();  // first, before anything else has grown the process
  request.peak = measure_fma_peak();
  request.bandwidth = measure_bandwidth();
  std::printf("kernels: %s; multiply-add peak %.1f GFLOP/s; memory %.1f GB/s (one thread each)\n",
              std::string(name(current_target())).c_str(), request.peak, request.bandwidth);
  if (request.peer) print_peer_table(request);
  if (request.growth) print_growth_table(request);
}

}  // namespace
}  // namespace nouq::bench

int main(int argc, char** argv) {
  try {
    nouq::bench::run(nouq::bench::read(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nouq_bench: %s\n", error.what());
    return 2;
  }
}
