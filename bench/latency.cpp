// nouq_bench_latency: one question at a time, as a solver asks it: mean and deviation of one field on one
// core.
//
// Grid 100 x 20, width 32, 10 heads, 12 x 12 modes. Columns: the Predictor inside the library, the C++
// interface, the C interface, and the forward pass of both PyTorch networks and of ONNX Runtime (which give
// the heads, not yet their mean and deviation), all interleaved. What a call costs beyond the work is then
// read off a network so small that there is hardly any; and how long a new process takes until it has loaded
// the model's file and answered through C.
//
//   nouq_bench_latency [--rounds N] [--peer-python PYTHON]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <vector>

#include <nouq/nouq.h>
#include <nouq/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/shared_model.h"
#include "core/error.h"
#include "model/model_file.h"
#include "peer.h"

namespace nouq::bench {
namespace {

Surrogate random_surrogate(const NetworkOptions& network, Index nx, Index nt) {
  Surrogate s;
  s.method = "diverse";
  s.network = network;
  s.network.head_bias = false;
  s.grid = {{"x", "", linspace(0, 1, nx)}, {"t", "", linspace(0, 1, nt)}};
  s.input_channels = {{"a", ""}};
  s.output_channels = {{"u", ""}};
  const ParameterLayout layout(s.network);
  s.weights.emplace_back(static_cast<std::size_t>(layout.size()));
  initialise(layout, 1, s.weights[0].data());
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
    return sorted.empty() ? 0.0 : sorted[level * static_cast<double>(sorted.size() - 1)];
  }
};

// Files of this process alone, gone afterwards.
class OwnFile {
 public:
  explicit OwnFile(const char* kind)
      : path_((std::filesystem::temp_directory_path() / fmt::format("nouq_latency_{}.{}", ::getpid(), kind))
                  .string()) {}
  ~OwnFile() {
    std::error_code ignored;
    for (const char* part : {"", ".in", ".out"}) std::filesystem::remove(path_ + part, ignored);
  }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

nouq_model load_through_c(const std::string& path) {
  nouq_model model = 0;
  require(nouq_load(path.c_str(), &model) == NOUQ_OK, "{}", nouq_last_error());
  return model;
}

nouq_model load_through_file(const Surrogate& surrogate) {
  const OwnFile file("nouq");
  save_model(surrogate, file.path());
  return load_through_c(file.path());
}

constexpr Index paper_extents[2] = {100, 20};

// What the process does that is timed from its start.
void answer_once(const char* path) {
  const nouq_model model = load_through_c(path);
  const std::vector<float> x(2000, 0.5F);
  std::vector<double> mean(2000), deviation(2000);
  const nouq_array in = nouq_row_major(x.data(), NOUQ_FLOAT32, 2, paper_extents);
  const nouq_array m = nouq_row_major(mean.data(), NOUQ_FLOAT64, 2, paper_extents);
  const nouq_array d = nouq_row_major(deviation.data(), NOUQ_FLOAT64, 2, paper_extents);
  require(nouq_predict(model, &in, &m, &d, nullptr, nullptr, nullptr) == NOUQ_OK, "{}", nouq_last_error());
  nouq_free(model);
}

// This program anew, from before its start to its end.
void start_and_answer(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "nouq_bench_latency", "--answer-once", path.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the process that was to answer once failed");
}

// One surrogate, asked the same question in three ways.
class Subject {
 public:
  explicit Subject(const Surrogate& surrogate)
      : surrogate_(surrogate),
        extents_(shape_of(surrogate.grid)),
        predictor_(surrogate_, extents_, 1),
        model_(std::make_shared<SharedModel>(surrogate)),
        handle_(load_through_file(surrogate)),
        x_(static_cast<std::size_t>(element_count(extents_))),
        mean_(x_.size()),
        deviation_(x_.size()) {
    const Stream stream(1, Purpose::tests);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = stream.uniform_float(i);
  }
  ~Subject() { nouq_free(handle_); }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  std::vector<Column> columns() {
    const Layout layout(extents_, Order::row_major);
    const Outputs outputs{{mean_.data(), layout}, {deviation_.data(), layout}, {}};
    const nouq_array in = nouq_row_major(x_.data(), NOUQ_FLOAT32, 2, extents_.data());
    const nouq_array m = nouq_row_major(mean_.data(), NOUQ_FLOAT64, 2, extents_.data());
    const nouq_array d = nouq_row_major(deviation_.data(), NOUQ_FLOAT64, 2, extents_.data());
    return {
        {"Predictor (inside)", [this] { predictor_.predict(x_.data(), 1, mean_.data(), deviation_.data()); }},
        {"C++ Model::predict", [=, this] { model_.predict(Input(x_.data(), layout), outputs); }},
        {"C nouq_predict", [=, this] { nouq_predict(handle_, &in, &m, &d, nullptr, nullptr, nullptr); }}};
  }

 private:
  Surrogate surrogate_;
  Shape extents_;
  Predictor predictor_;
  Model model_;
  nouq_model handle_;
  std::vector<float> x_;
  std::vector<double> mean_, deviation_;
};

void print(const std::vector<Column>& columns, double reference) {
  std::printf("%-24s %9s %9s %9s %9s\n", "microseconds", "least", "p50", "p99", "calls");
  for (const Column& c : columns) {
    if (c.microseconds.empty()) continue;
    std::printf("%-24s %9.2f %9.2f %9.2f %9zu", c.name, c.quantile(0), c.quantile(0.5), c.quantile(0.99),
                c.microseconds.size());
    if (reference > 0) std::printf(" %7.1fx", reference / c.quantile(0.5));  // of the medians
    std::printf("\n");
  }
}

void time_the_paper_size(int rounds, const std::string& python) {
  NetworkOptions network;
  network.outputs = 10;
  Subject subject(random_surrogate(network, 100, 20));
  std::vector<Column> columns = subject.columns();
  Peer peer(NOUQ_BENCH_PEER, python);
  const std::vector<const char*> networks = {"fft", "matrix"};
  columns.push_back({"PyTorch, FFT", {}});
  columns.push_back({"PyTorch, matrices", {}});
  columns.push_back({"ONNX Runtime, matrices", {}});
  Peer onnx(NOUQ_BENCH_ONNX, "node");
  const OwnFile file("onnx");
  const bool exported =
      onnx.available() && peer.measure("export matrix 32 1 1 100 20 12 10 " + file.path()).has_value();
  for (int round = -1; round < rounds; ++round) {
    for (int i = 0; i < 10; ++i) {
      for (std::size_t c = 0; c < 3; ++c) columns[c].measure();
    }
    for (std::size_t n = 0; n < networks.size(); ++n) {
      if (const auto torch = peer.measure(fmt::format("forward {} 32 1 1 100 20 12 10", networks[n])))
        columns[3 + n].microseconds.push_back(1000 * *torch);
    }
    if (exported) {
      if (const auto time = onnx.measure(fmt::format("forward {} 1 100 20 1", file.path())))
        columns[5].microseconds.push_back(1000 * *time);
    }
    if (round < 0) {
      for (Column& c : columns) c.microseconds.clear();  // the first round warms up
    }
  }
  std::printf(
      "One sample, grid 100 x 20, width 32, 10 heads, one thread; %s; %s. Times faster than PyTorch, FFT.\n",
      peer.description().c_str(), onnx.description().c_str());
  print(columns, columns[3].quantile(0.5));
}

void time_the_start() {
  NetworkOptions network;
  network.outputs = 10;
  const OwnFile file("start.nouq");
  save_model(random_surrogate(network, 100, 20), file.path());
  std::vector<Column> columns = {{"start, load, answer", [&] { start_and_answer(file.path()); }}};
  for (int i = 0; i < 40; ++i) columns[0].measure();
  std::printf(
      "\nA new process, from before its start to its end, after one answer of that model through C\n");
  print(columns, 0);
}

void time_the_call() {
  const Padding none{0, std::nullopt};
  NetworkOptions network;
  network.outputs = 2;
  network.modes = {1, 1};
  network.padding = {none, none};
  network.width = network.blocks = network.features = 1;
  Subject subject(random_surrogate(network, 4, 3));
  std::vector<Column> columns = subject.columns();
  for (int i = 0; i < 20000; ++i) {
    for (Column& c : columns) c.measure();
  }
  std::printf("\nThe smallest network there is: what a call costs\n");
  print(columns, 0);
  for (const std::size_t c : {1U, 2U}) {
    std::printf("%s beyond the Predictor: %.2f (p50)\n", columns[c].name,
                columns[c].quantile(0.5) - columns[0].quantile(0.5));
  }
}

}  // namespace
}  // namespace nouq::bench

int main(int count, char** arguments) {
  int rounds = 100;
  for (int i = 1; i + 1 < count; ++i) {
    if (std::strcmp(arguments[i], "--rounds") == 0) rounds = std::atoi(arguments[i + 1]);
    if (std::strcmp(arguments[i], "--answer-once") == 0) {
      nouq::bench::answer_once(arguments[i + 1]);
      return 0;
    }
  }
  nouq::bench::time_the_start();
  nouq::bench::time_the_paper_size(rounds, nouq::bench::peer_python(count, arguments));
  nouq::bench::time_the_call();
  return 0;
}
