// A sample that is alone is cut into pieces for the threads; what it gives must not show that.
#include <gtest/gtest.h>
#include <nouq/random.h>

#include "nn/architecture.h"
#include "nn/network.h"

namespace nouq {
namespace {

struct Asked {
  NetworkOptions options;
  Shape grid;
  BatchDropout dropout = {};

  [[nodiscard]] Index points() const { return element_count(grid); }
  // The outputs for the first `batch` samples.
  [[nodiscard]] std::vector<float> answer(Index batch, int threads) const {
    Network<float> network(options, grid, threads);
    std::vector<float> weights(static_cast<std::size_t>(network.layout().size()));
    initialise(network.layout(), 5, weights.data());
    const Stream stream(9, Purpose::tests);
    std::vector<float> x(static_cast<std::size_t>(batch * points() * options.input_channels));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = stream.uniform_float(i);
    std::vector<float> out(static_cast<std::size_t>(batch * points() * options.outputs));
    network.predict(weights.data(), x.data(), batch, out.data(), dropout);
    return out;
  }
};

// More points than fit one piece of the head, and a last piece that is smaller.
std::vector<Asked> cases() {
  std::vector<Asked> all;
  for (const char* architecture : {"fno", "ffno"}) {
    NetworkOptions plain = with_architecture({}, architecture);
    plain.width = 5;
    plain.modes = {4, 3};
    plain.outputs = 3;
    all.push_back({plain, {31, 17}});
    all.push_back({plain, {31, 17}});
    all.back().options.dropout = 0.3;
    all.back().dropout = {true, 3, 17};
    all.push_back({plain, {7, 9, 8}});
    all.back().options.modes = {2, 3, 2};
    all.back().options.padding.assign(3, Padding{});
  }
  return all;
}

TEST(OneSample, HasTheBitsItHasInABatchWithAnyNumberOfThreads) {
  for (const Asked& asked : cases()) {
    std::vector<float> first = asked.answer(3, 1);
    first.resize(static_cast<std::size_t>(asked.points() * asked.options.outputs));
    for (const int threads : {1, 2, 3, 7})
      EXPECT_EQ(asked.answer(1, threads), first) << asked.options.architecture << threads;
  }
}

}  // namespace
}  // namespace nouq
