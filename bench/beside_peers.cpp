// nouq beside its peers: the same networks on the same cores in the same minutes, one call of each in turn.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "case.h"
#include "peer.h"

namespace nouq::bench {
namespace {

constexpr Index nx = 100, nt = 20, modes = 12;

struct Row {
  Work work;
  Index width, batch, heads;
};

std::string name_of(const Row& r) {
  const char* work = r.work == Work::step ? "step" : r.work == Work::forward ? "forward" : "evaluation";
  return fmt::format("{} W={} batch={} heads={}", work, r.width, r.batch, r.heads);
}

struct Contestant {
  std::string name;
  Times one, two;  // threads
};

struct Peers {
  Peer torch, onnx;
  explicit Peers(const std::string& python) : torch(NOUQ_BENCH_PEER, python), onnx(NOUQ_BENCH_ONNX, "node") {}
};

// A file for ONNX Runtime with PyTorch's matrix network, its inputs and outputs beside; gone afterwards.
class OnnxModel {
 public:
  OnnxModel(const Row& r, Peers& peers)
      : path_(std::filesystem::temp_directory_path() / fmt::format("nouq_bench_{}.onnx", ::getpid())) {
    if (!peers.onnx.available()) return;
    there_ = peers.torch
                 .measure(fmt::format("export matrix {} {} 1 {} {} {} {} {}", r.width, r.batch, nx, nt, modes,
                                      r.heads, path_.string()))
                 .has_value();
  }
  ~OnnxModel() {
    std::error_code ignored;
    for (const char* part : {"", ".in", ".out"}) std::filesystem::remove(path_.string() + part, ignored);
  }
  OnnxModel(const OnnxModel&) = delete;
  OnnxModel& operator=(const OnnxModel&) = delete;

  [[nodiscard]] std::optional<double> measure(Peer& onnx, const Row& r, int threads) const {
    if (!there_) return std::nullopt;
    return onnx.measure(fmt::format("forward {} {} {} {} {}", path_.string(), r.batch, nx, nt, threads));
  }

 private:
  std::filesystem::path path_;
  bool there_ = false;
};

void add(Times& times, std::optional<double> time) {
  if (time) times.values.push_back(*time);
}

void print_contestant(const Contestant& c, const Contestant& ours) {
  if (c.one.values.empty()) return;
  std::printf("  %-24s %8.2f %8.2f %8.2f %8.2f %7.2fx %7.2fx", c.name.c_str(), c.one.best(), c.one.median(),
              c.two.best(), c.two.median(), c.one.best() / c.two.best(), c.one.median() / c.two.median());
  if (&c != &ours)
    std::printf(" | %6.1fx %6.1fx %6.1fx", c.one.best() / ours.one.best(), c.one.median() / ours.one.median(),
                c.two.best() / ours.two.best());
  std::printf("\n");
}

// Ours runs three times for each time of the peers, which take an order of magnitude longer.
void measure_row(const Row& row, Peers& peers, const Request& request) {
  NetworkOptions options = make_options("fno", row.width, {modes, modes});
  options.outputs = row.heads;
  options.head_bias = row.heads == 1;
  Case one(options, {nx, nt}, row.batch, 1), two(options, {nx, nt}, row.batch, 2);
  std::vector<Contestant> all = {{"nouq", {}, {}},
                                 {"PyTorch, FFT", {}, {}},
                                 {"PyTorch, matrices", {}, {}},
                                 {"ONNX Runtime, matrices", {}, {}}};
  std::unique_ptr<OnnxModel> model;
  if (row.work == Work::forward) model = std::make_unique<OnnxModel>(row, peers);
  const auto ask_torch = [&](const char* network, int threads, Times& times) {
    add(times, peers.torch.measure(fmt::format("{} {} {} {} {} {} {} {} {}",
                                               row.work == Work::step ? "step" : "forward", network,
                                               row.width, row.batch, threads, nx, nt, modes, row.heads)));
  };
  one.run(row.work);
  two.run(row.work);
  for (int round = 0; round < request.rounds; ++round) {
    for (int i = 0; i < 3; ++i) {
      all[0].one.values.push_back(one.milliseconds(row.work));
      all[0].two.values.push_back(two.milliseconds(row.work));
    }
    for (int threads = 1; threads <= 2; ++threads) {
      const auto times = threads == 1 ? &Contestant::one : &Contestant::two;
      if (row.work != Work::evaluation) {
        ask_torch("fft", threads, all[1].*times);
        ask_torch("matrix", threads, all[2].*times);
      }
      if (model) add(all[3].*times, model->measure(peers.onnx, row, threads));
    }
    // The peers' threads spin for a while after their work; they must not take the core from us.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const Cost cost = cost_of(options, {nx, nt}, row.batch);
  const double rate =
      1e-6 * (row.work == Work::step ? cost.step_flops : cost.forward_flops) / all[0].one.best();
  std::printf("%s: %.1f GFLOP/s, %.0f %% of the multiply-add peak\n", name_of(row).c_str(), rate,
              100 * rate / request.peak);
  for (const Contestant& c : all) print_contestant(c, all[0]);
  std::fflush(stdout);
}

}  // namespace

void print_peer_table(const Request& request) {
  Peers peers(request.python);
  for (const Peer* peer : {&peers.torch, &peers.onnx})
    std::printf("%s: %s\n", peer->available() ? "a peer" : "no peer", peer->description().c_str());
  std::printf(
      "\nGrid %ld x %ld, %ld x %ld modes, 4 blocks, float32, milliseconds. FFT: the usual network; matrices: its kept\n"
      "modes alone, as matrix products. Gain: of the second thread. Beside nouq: times as long as ours.\n",
      static_cast<long>(nx), static_cast<long>(nt), static_cast<long>(modes), static_cast<long>(modes));
  std::printf("  %-24s %8s %8s %8s %8s %8s %8s | %7s %7s %7s\n", "", "1t best", "median", "2t best", "median",
              "gain", "median", "1t best", "median", "2t best");
  for (const Row& row :
       {Row{Work::step, 32, 20, 1}, Row{Work::step, 64, 20, 1}, Row{Work::step, 32, 20, 10},
        Row{Work::step, 32, 1, 1}, Row{Work::forward, 32, 20, 1}, Row{Work::evaluation, 32, 20, 1},
        Row{Work::forward, 64, 20, 1}, Row{Work::forward, 32, 20, 10}, Row{Work::forward, 32, 1, 1}}) {
    if ((name_of(row) + " ").find(request.rows) != std::string::npos) measure_row(row, peers, request);
  }
}

}  // namespace nouq::bench
