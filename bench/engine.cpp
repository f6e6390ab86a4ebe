// nouq_bench: the engine beside PyTorch, and how its cost grows. Prints tables; decides nothing.
//
//   nouq_bench [peer] [scaling] [--rounds N] [--peer-python PYTHON]     both tables without arguments
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <nouq/random.h>

#include "core/error.h"
#include "core/threads.h"
#include "kernels/adam.h"
#include "kernels/target.h"
#include "nn/cost.h"
#include "nn/network.h"
#include "peak.h"
#include "peer.h"

namespace nouq::bench {
namespace {

// A network with data and optimiser state: what one training step touches.
class Case {
 public:
  Case(const NetworkOptions& options, const Shape& grid, Index batch, int threads)
      : network_(options, grid, threads),
        batch_(batch),
        threads_(threads),
        loss_{LossKind::relative_l2, 1, options.outputs} {
    const std::size_t size = network_.layout().size();
    for (auto* buffer : {&weights_, &gradient_, &first_, &second_}) {
      buffer->resize(size);
      buffer->fill(0.0F);
    }
    initialise(network_.layout(), 1, weights_.data());
    const std::size_t values = batch * network_.points();
    const Stream stream(1, Purpose::tests);
    inputs_.resize(values);
    targets_.resize(values);
    outputs_.resize(values * static_cast<std::size_t>(options.outputs));
    for (std::size_t i = 0; i < values; ++i) {
      inputs_[i] = stream.uniform_float(i);
      targets_[i] = stream.uniform_float(i + values) + 0.5F;
    }
    losses_.resize(batch);
  }

  void step() {
    network_.loss_gradient(weights_.data(), inputs_.data(), targets_.data(), batch_, loss_, losses_,
                           gradient_.data());
    const Index piece = 1 << 16;
    const Index size = network_.layout().size();
    ++steps_;
    parallel_for(threads_, (size + piece - 1) / piece, [&](Index p) {
      const Index at = p * piece;
      adam(AdamStep{.step = steps_}, gradient_.data() + at, std::min(piece, size - at), weights_.data() + at,
           first_.data() + at, second_.data() + at);
    });
  }
  void forward() { network_.predict(weights_.data(), inputs_.data(), batch_, outputs_.data()); }
  [[nodiscard]] double megabytes() const {
    return 1e-6 * (static_cast<double>(network_.memory()) + 4.0 * 4.0 * static_cast<double>(weights_.size()));
  }

 private:
  Network<float> network_;
  Index batch_;
  int threads_;
  Loss loss_;
  Index steps_ = 0;
  Buffer<float> weights_, gradient_, first_, second_, inputs_, targets_, outputs_;
  std::vector<double> losses_;
};

double milliseconds(Case& c, bool step) {
  const auto start = std::chrono::steady_clock::now();
  step ? c.step() : c.forward();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

struct Times {
  std::vector<double> values;
  [[nodiscard]] double median() const {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0.0 : sorted[sorted.size() / 2];
  }
  [[nodiscard]] double best() const {
    return values.empty() ? 0.0 : *std::min_element(values.begin(), values.end());
  }
};

struct Row {
  const char* kind;
  Index width, batch, heads;
};

// The two networks of bench/peer/fno_torch.py, with one thread and with two.
struct PeerTimes {
  const char* network;
  Times one, two;
};

// The least of the medians: what a claim of speed is against.
double strongest(const std::vector<PeerTimes>& peers, Times PeerTimes::*threads) {
  double least = 0;
  for (const PeerTimes& p : peers) {
    const double median = (p.*threads).median();
    if (least == 0 || median < least) least = median;
  }
  return least;
}

// Ours runs three times for each time of the peer, which takes an order of magnitude longer.
void measure_row(const Row& row, Peer& peer, double peak, int rounds) {
  NetworkOptions options;
  options.width = row.width;
  options.outputs = row.heads;
  options.head_bias = row.heads == 1;
  const bool step = std::strcmp(row.kind, "step") == 0;
  Case one(options, {100, 20}, row.batch, 1);
  Case two(options, {100, 20}, row.batch, 2);
  Times ours1, ours2;
  std::vector<PeerTimes> peers = {{"fft", {}, {}}, {"matrix", {}, {}}};
  const auto ask = [&](const char* network, int threads, Times& times) {
    const auto t = peer.measure(fmt::format("{} {} {} {} {} 100 20 12 {}", row.kind, network, row.width,
                                            row.batch, threads, row.heads));
    if (t) times.values.push_back(*t);
  };
  milliseconds(one, step);
  milliseconds(two, step);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 3; ++i) {
      ours1.values.push_back(milliseconds(one, step));
      ours2.values.push_back(milliseconds(two, step));
    }
    for (PeerTimes& p : peers) {
      ask(p.network, 1, p.one);
      ask(p.network, 2, p.two);
    }
    // The peer's threads spin for a while after their work; they must not take the core from us.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const Cost cost = cost_of(options, {100, 20}, row.batch);
  const double rate = 1e-6 * (step ? cost.step_flops : cost.forward_flops) / ours1.median();
  std::printf("%-8s %3ld %5ld %5ld | %8.2f %8.2f %8.2f %8.2f |", row.kind, static_cast<long>(row.width),
              static_cast<long>(row.batch), static_cast<long>(row.heads), ours1.best(), ours1.median(),
              ours2.best(), ours2.median());
  for (const PeerTimes& p : peers) std::printf(" %7.1f %7.1f |", p.one.median(), p.two.median());
  std::printf(" %6.1fx %6.1fx %6.2fx | %6.1f %4.0f%%\n", strongest(peers, &PeerTimes::one) / ours1.median(),
              strongest(peers, &PeerTimes::two) / ours2.median(), ours1.median() / ours2.median(), rate,
              100 * rate / peak);
  std::fflush(stdout);
}

void print_peer_table(double peak, int rounds, const std::string& python) {
  Peer peer(NOUQ_BENCH_PEER, python);
  std::printf(
      "\nTraining step and forward pass, grid 100 x 20, 12 x 12 modes, 4 blocks, float32. Times in ms.\n"
      "%s: %s.\n"
      "fft: the usual network; matrix: its kept modes alone, as matrix products. The factors are to the faster one.\n",
      peer.available() ? "The peers" : "No peers", peer.description().c_str());
  std::printf("%-8s %3s %5s %5s | %8s %8s %8s %8s | %7s %7s | %7s %7s | %7s %7s %7s | %6s %5s\n", "", "W",
              "batch", "heads", "1t best", "1t med", "2t best", "2t med", "fft 1t", "2t", "mtrx 1t", "2t",
              "1t/1t", "2t/2t", "2t gain", "GF/s", "peak");
  for (const Row& row :
       {Row{"step", 32, 20, 1}, Row{"step", 64, 20, 1}, Row{"step", 32, 20, 10}, Row{"forward", 32, 20, 1},
        Row{"forward", 64, 20, 1}, Row{"forward", 32, 20, 10}, Row{"forward", 32, 1, 1}}) {
    measure_row(row, peer, peak, rounds);
  }
}

void print_scaling_row(const char* varied, const NetworkOptions& options, const Shape& grid, Index batch,
                       double peak) {
  Case one(options, grid, batch, 1);
  Times times;
  one.step();
  for (double spent = 0; spent < 1000.0 && times.values.size() < 15;) {
    times.values.push_back(milliseconds(one, true));
    spent += times.values.back();
  }
  const Cost cost = cost_of(options, grid, batch);
  const double rate = 1e-6 * cost.step_flops / times.median();
  std::string shape, modes;
  for (const Index n : grid) shape += (shape.empty() ? "" : "x") + std::to_string(n);
  for (const Index n : options.modes) modes += (modes.empty() ? "" : "x") + std::to_string(n);
  std::printf("%-8s %5ld %-12s %-9s %5ld | %9.2f %7.1f %4.0f%% | %9.1f %9.2f %6.1f\n", varied,
              static_cast<long>(options.width), shape.c_str(), modes.c_str(), static_cast<long>(batch),
              times.median(), rate, 100 * rate / peak, one.megabytes(), 1e-9 * cost.step_flops,
              1e-6 * cost.step_bytes / times.median());
  std::fflush(stdout);
}

NetworkOptions make_options(Index width, const std::vector<Index>& modes) {
  NetworkOptions options;
  options.width = width;
  options.modes = modes;
  options.padding.assign(modes.size(), Padding{});
  return options;
}

void print_scaling_table(double peak, double bandwidth) {
  std::printf(
      "\nHow a training step grows, one thread. Memory: activations, weights, gradient and moments.\n"
      "GB/s: weights, moments and stored fields over the time; this machine streams %.1f GB/s.\n",
      bandwidth);
  std::printf("%-8s %5s %-12s %-9s %5s | %9s %7s %5s | %9s %9s %6s\n", "varied", "width", "grid", "modes",
              "batch", "ms/step", "GF/s", "peak", "MB", "GFLOP", "GB/s");
  for (const Index w : {16, 24, 32, 48, 64, 96, 128}) {
    print_scaling_row("width", make_options(w, {12, 12}), {100, 20}, 20, peak);
  }
  for (const Shape& g : {Shape{50, 20}, Shape{100, 40}, Shape{200, 40}, Shape{400, 80}}) {
    print_scaling_row("grid", make_options(32, {12, 12}), g, 8, peak);
  }
  for (const Index m : {6, 8, 16, 24})
    print_scaling_row("modes", make_options(32, {m, std::min<Index>(m, 15)}), {100, 20}, 20, peak);
  print_scaling_row("modes", make_options(32, {24, 24}), {100, 60}, 8, peak);
  for (const Index b : {1, 2, 4, 8, 16, 32, 64})
    print_scaling_row("batch", make_options(32, {12, 12}), {100, 20}, b, peak);
  for (const Index n : {128, 1024, 8192}) print_scaling_row("1-d", make_options(32, {16}), {n}, 20, peak);
  print_scaling_row("1-d", make_options(64, {16}), {1024}, 20, peak);
  print_scaling_row("2-d", make_options(32, {12, 12}), {64, 64}, 20, peak);
  print_scaling_row("3-d", make_options(16, {6, 6, 6}), {32, 32, 16}, 8, peak);
  print_scaling_row("3-d", make_options(32, {6, 6, 6}), {32, 32, 16}, 8, peak);
}

// The most memory this process ever held, as the kernel counts it.
double peak_resident_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1000.0;
  }
  return 0;
}

void print_memory() {
  NetworkOptions options;
  Case one(options, {100, 20}, 20, 2);
  for (int i = 0; i < 3; ++i) one.step();
  std::printf("peak resident memory of training at W = 32, batch 20, 2 threads: %.0f MB\n",
              peak_resident_megabytes());
}

int run(int argc, char** argv) {
  bool peer = false, scaling = false;
  int rounds = 9;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "peer") {
      peer = true;
    } else if (word == "scaling") {
      scaling = true;
    } else if (word == "--rounds" && i + 1 < argc) {
      rounds = std::max(1, std::atoi(argv[++i]));
    } else if (word == "--peer-python" && i + 1 < argc) {
      ++i;  // peer_python() reads it
    } else {
      std::fprintf(stderr, "usage: nouq_bench [peer] [scaling] [--rounds N] [--peer-python PYTHON]\n");
      return 2;
    }
  }
  print_memory();  // first, before anything else has grown the process
  const double peak = measure_fma_peak();
  const double bandwidth = measure_bandwidth();
  std::printf("kernels: %s; multiply-add peak %.1f GFLOP/s; memory %.1f GB/s (one thread each)\n",
              std::string(name(current_target())).c_str(), peak, bandwidth);
  if (peer || !scaling) print_peer_table(peak, rounds, peer_python(argc, argv));
  if (scaling || !peer) print_scaling_table(peak, bandwidth);
  return 0;
}

}  // namespace
}  // namespace nouq::bench

int main(int argc, char** argv) {
  try {
    return nouq::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nouq_bench: %s\n", error.what());
    return 1;
  }
}
