// nouq_bench_methods: what uncertainty costs, as a ratio to the plain network: a training step and a
// prediction of each method, interleaved on one thread, with PyTorch's steps of the same network with ten
// heads beside.
//
//   nouq_bench_methods [--rounds N] [--peer-python PYTHON]
//
// Grid 100 x 20, width 32, 12 x 12 modes, batch 20, 10 heads, networks or masks. A plain prediction is one
// forward pass; those of the methods give mean and variance.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "data/generate.h"
#include "peer.h"
#include "uq/defaults.h"
#include "uq/predictor.h"

namespace nouq::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Index batch = 20;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Row {
  std::string name;
  std::function<void(std::vector<double>&)> measure;  // adds times in ms
  std::vector<double> times = {};

  [[nodiscard]] double best() const { return *std::min_element(times.begin(), times.end()); }
  [[nodiscard]] double median() const {
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

DataSet some_data(Index samples) {
  const auto problem = make_problem("pme");
  return generate_data_set(*problem, {samples, 1, problem->range(Shift::in_domain), {}, 1});
}

FitOptions options_of(const std::string& method, const DataSet& data) {
  FitOptions options = default_fit(data, 1);
  options.method.name = method;
  options.method.set("warmup", 0);
  options.normalise = false;
  options.threads = 1;
  return options;
}

// The time of every step but the first, in which memory is touched for the first time.
class StepClock final : public TrainObserver {
 public:
  explicit StepClock(std::vector<double>& times) : times_(times) {}
  bool should_stop() override {
    start_ = Clock::now();
    return false;
  }
  void on_step(Index, Index step, Index, double) override {
    if (step > 0) times_.push_back(milliseconds_since(start_));
  }

 private:
  std::vector<double>& times_;
  Clock::time_point start_;
};

Row step_of(const std::string& name, const std::string& method, const DataSet& data,
            const DataSet& validation) {
  const TrainerOptions options = fit_trainings(options_of(method, data), data).front();
  return {name, [options, &data, &validation](std::vector<double>& times) {
            StepClock clock(times);
            Trainer(options, data, validation).train(&clock);
          }};
}

Row prediction_of(const std::string& method, const DataSet& data) {
  const auto surrogate = std::make_shared<Surrogate>(*fit(options_of(method, data), data, data));
  const auto predictor = std::make_shared<Predictor>(*surrogate, shape_of(surrogate->grid), 1);
  const auto mean = std::make_shared<Array<double>>(data.outputs.shape()),
             variance = std::make_shared<Array<double>>(data.outputs.shape());
  return {method, [=, &data](std::vector<double>& times) {
            const auto start = Clock::now();
            predictor->predict(data.inputs.data(), batch, mean->data(), variance->data());
            times.push_back(milliseconds_since(start));
            (void)surrogate;  // kept alive with the predictor
          }};
}

Row plain_prediction(const DataSet& data) {
  const NetworkOptions options = fit_trainings(options_of("bayesian", data), data).front().network;
  const auto network = std::make_shared<Network<float>>(options, Shape{100, 20}, 1);
  const auto weights = std::make_shared<std::vector<float>>(network->layout().size());
  initialise(network->layout(), 1, weights->data());
  const auto out = std::make_shared<Array<float>>(data.outputs.shape());
  return {"plain network", [=, &data](std::vector<double>& times) {
            const auto start = Clock::now();
            network->predict(weights->data(), data.inputs.data(), batch, out->data());
            times.push_back(milliseconds_since(start));
          }};
}

void run_rows(const char* title, std::vector<Row> rows, int rounds) {
  for (int round = -1; round < rounds; ++round) {
    for (Row& row : rows) row.measure(row.times);
    if (round < 0) {
      for (Row& row : rows) row.times.clear();  // warms up
    }
  }
  std::printf("\n%-26s %10s %10s %14s %14s\n", title, "best ms", "median ms", "best ratio", "median ratio");
  for (const Row& row : rows) {
    if (row.times.empty()) continue;
    std::printf("%-26s %10.2f %10.2f %13.3fx %13.3fx\n", row.name.c_str(), row.best(), row.median(),
                row.best() / rows.front().best(), row.median() / rows.front().median());
  }
}

void run(int rounds, const std::string& python) {
  const DataSet data = some_data(6 * batch), few = some_data(batch);
  Peer peer(NOUQ_BENCH_PEER, python);
  std::vector<Row> steps = {
      step_of("plain network", "bayesian", data, few), step_of("diverse", "diverse", data, few),
      step_of("variance", "variance", data, few), step_of("dropout", "dropout", data, few)};
  std::printf("%s: %s\n", peer.available() ? "peers" : "no peers", peer.description().c_str());
  for (const std::string network : {"fft", "matrix"}) {
    if (!peer.available()) break;
    steps.push_back({"ten heads, PyTorch " + network, [&peer, network](std::vector<double>& times) {
                       if (const auto t = peer.measure("diverse " + network + " 32 20 1 100 20 12 10"))
                         times.push_back(*t);
                     }});
  }
  run_rows("training step", std::move(steps), rounds);
  std::vector<Row> predictions = {plain_prediction(few)};
  for (const char* method : {"diverse", "variance", "bayesian", "dropout", "ensemble"})
    predictions.push_back(prediction_of(method, few));
  run_rows("prediction of 20", std::move(predictions), 5 * rounds);
}

}  // namespace
}  // namespace nouq::bench

int main(int argc, char** argv) {
  int rounds = 9;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
  }
  try {
    nouq::bench::run(rounds, nouq::bench::peer_python(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nouq_bench_methods: %s\n", error.what());
    return 1;
  }
  return 0;
}
