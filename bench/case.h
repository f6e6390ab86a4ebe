// What the tables of nouq_bench time: one network with its data and optimiser, and what came out.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "core/buffer.h"
#include "kernels/adam.h"
#include "nn/cost.h"
#include "nn/network.h"

namespace nouq::bench {

// A step of training, the forward pass of a prediction, and the losses of held-out samples.
enum class Work { step, forward, evaluation };

// A network with data and optimiser state: what one training step touches.
class Case {
 public:
  Case(const NetworkOptions& options, const Shape& grid, Index batch, int threads);

  void run(Work work);
  [[nodiscard]] double milliseconds(Work work);
  [[nodiscard]] double megabytes() const;

 private:
  void step();

  Network<float> network_;
  Index batch_;
  Loss loss_;
  Index steps_ = 0;
  Buffer<float> weights_, first_, second_, inputs_, targets_, outputs_;
  std::vector<double> losses_;
};

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

// A network of the paper's settings but for these.
NetworkOptions make_options(const std::string& architecture, Index width, const std::vector<Index>& modes);

// What a run of nouq_bench was asked for.
struct Request {
  bool peer = false, growth = false;
  int rounds = 9;
  std::string rows;    // only those whose names have this in them
  std::string python;  // of the peers
  double peak = 0, bandwidth = 0;
};

void print_peer_table(const Request& request);
void print_growth_table(const Request& request);

}  // namespace nouq::bench
