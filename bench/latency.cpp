// nouq_bench_latency: one question at a time, as a solver asks it: mean and deviation of one field on one
// core.
//
// Grid 100 x 20, width 32, 10 heads, 12 x 12 modes. Columns: the Predictor inside the library, the C++
// interface, the C interface, and PyTorch's forward pass of the same network (which gives the heads, not yet
// their mean and deviation), all interleaved.
//
//   nouq_bench_latency [--rounds N]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <vector>

#include <nouq/nouq.h>
#include <unistd.h>

#include "api/shared_model.h"
#include "core/random.h"
#include "model/model_file.h"
#include "peer.h"

namespace nouq::bench {
namespace {

Surrogate random_surrogate() {
  Surrogate s;
  s.method = "diverse";
  s.network.outputs = 10;
  s.network.head_bias = false;
  s.grid = {{"x", "", linspace(0, 1, 100)}, {"t", "", linspace(0, 1, 20)}};
  s.input_channels = {{"a", ""}};
  s.output_channels = {{"u", ""}};
  const ParameterLayout layout(s.network);
  s.weights.emplace_back(static_cast<std::size_t>(layout.size()));
  initialise(layout, s.network, 1, s.weights[0].data());
  return s;
}

struct Column {
  const char* name;
  std::function<void()> ask;
  std::vector<double> microseconds = {};

  void measure() {
    const auto start = std::chrono::steady_clock::now();
    ask();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    microseconds.push_back(time.count());
  }
  [[nodiscard]] double quantile(double level) const {
    std::vector<double> sorted = microseconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0.0
                          : sorted[static_cast<std::size_t>(level * static_cast<double>(sorted.size() - 1))];
  }
};

// A file of this process alone, gone afterwards.
nouq_model load_through_file(const Surrogate& surrogate) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("nouq_latency_{}.nouq", ::getpid());
  save_model(surrogate, path);
  nouq_model model = 0;
  const nouq_status status = nouq_load(path.c_str(), &model);
  std::filesystem::remove(path);
  require(status == NOUQ_OK, "{}", nouq_last_error());
  return model;
}

void print(const std::vector<Column>& columns) {
  std::printf("%-28s %9s %9s %9s %9s %8s\n", "microseconds", "least", "p50", "p99", "calls", "");
  const double torch = columns.back().quantile(0.5);
  for (const Column& c : columns) {
    if (c.microseconds.empty()) continue;
    std::printf("%-28s %9.1f %9.1f %9.1f %9zu %7.1fx\n", c.name, c.quantile(0), c.quantile(0.5),
                c.quantile(0.99), c.microseconds.size(), torch / c.quantile(0.5));
  }
  std::printf("C over the library's own Predictor: %.2f microseconds (least), %.2f (p50)\n",
              columns[2].quantile(0) - columns[0].quantile(0),
              columns[2].quantile(0.5) - columns[0].quantile(0.5));
}

void run(int rounds) {
  const Surrogate surrogate = random_surrogate();
  const Stream stream(1, Purpose::tests);
  std::vector<float> x(2000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = stream.uniform_float(i);
  std::vector<double> mean(2000), deviation(2000);
  Predictor predictor(surrogate, {100, 20}, 1);
  const Model model(std::make_shared<SharedModel>(surrogate));
  const Outputs outputs{{mean.data(), {100, 20}}, {deviation.data(), {100, 20}}, {}};
  const nouq_model handle = load_through_file(surrogate);
  const std::int64_t extents[] = {100, 20};
  const nouq_array in = nouq_row_major(x.data(), NOUQ_FLOAT32, 2, extents);
  const nouq_array m = nouq_row_major(mean.data(), NOUQ_FLOAT64, 2, extents);
  const nouq_array d = nouq_row_major(deviation.data(), NOUQ_FLOAT64, 2, extents);

  Peer peer(NOUQ_BENCH_PEER);
  std::vector<Column> columns = {
      {"Predictor (inside)", [&] { predictor.predict(x.data(), 1, mean.data(), deviation.data()); }},
      {"C++ Model::predict",
       [&] {
         model.predict(Input(x.data(), {100, 20}), outputs);
       }},
      {"C nouq_predict", [&] { nouq_predict(handle, &in, &m, &d, nullptr, nullptr, nullptr); }},
      {"PyTorch forward", [] {}}};
  for (int round = -1; round < rounds; ++round) {
    for (int i = 0; i < 10; ++i) {
      for (std::size_t c = 0; c < 3; ++c) columns[c].measure();
    }
    const auto torch = peer.measure("forward 32 1 1 100 20 12 10");
    if (round < 0) {
      for (Column& c : columns) c.microseconds.clear();  // the first round warms up
    } else if (torch) {
      columns[3].microseconds.push_back(1000 * *torch);
    }
  }
  print(columns);
  nouq_free(handle);
}

}  // namespace
}  // namespace nouq::bench

int main(int count, char** arguments) {
  const bool given = count == 3 && std::strcmp(arguments[1], "--rounds") == 0;
  nouq::bench::run(given ? std::atoi(arguments[2]) : 100);
  return 0;
}
