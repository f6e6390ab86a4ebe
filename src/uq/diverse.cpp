// DiverseNO: many heads on one trunk, each trained on the data and pushed apart from the others; their spread
// is the uncertainty.
#include <algorithm>

#include "uq/method.h"
#include "uq/moments.h"

namespace nouq {
namespace {

class DiversePredictor final : public MethodPredictor {
 public:
  DiversePredictor(const Surrogate& surrogate, const Shape& grid, int threads)
      : surrogate_(surrogate), network_(surrogate.network, grid, threads) {}
  [[nodiscard]] Index samples() const override { return surrogate_.network.outputs / surrogate_.channels(); }

  void predict(const float* inputs, Index batch, double* mean, double* variance, float* samples) override {
    const Index channels = surrogate_.channels();
    const Index columns = surrogate_.network.outputs;
    const Index rows = batch * network_.points();
    heads_.resize(static_cast<std::size_t>(rows * columns));
    network_.predict(surrogate_.weights.at(0).data(), inputs, batch, heads_.data());
    for (Index c = 0; c < channels; ++c)
      moments(heads_.data() + c, {this->samples(), channels, columns, channels}, rows, mean + c,
              variance + c);
    if (samples != nullptr) separate(batch, samples);
  }

 private:
  // From heads side by side at every point to one field per head.
  void separate(Index batch, float* samples) const {
    const Index channels = surrogate_.channels();
    const Index points = network_.points();
    for (Index b = 0; b < batch; ++b) {
      for (Index m = 0; m < this->samples(); ++m) {
        for (Index p = 0; p < points; ++p) {
          for (Index c = 0; c < channels; ++c)
            *samples++ = heads_[((b * points + p) * this->samples() + m) * channels + c];
        }
      }
    }
  }

  const Surrogate& surrogate_;
  Network<float> network_;
  Buffer<float> heads_;  // [batch][points][heads][channels]
};

class DiverseMethod final : public Method {
 public:
  [[nodiscard]] std::string_view name() const override { return "diverse"; }
  [[nodiscard]] std::string_view summary() const override {
    return "many heads on a shared trunk, pushed apart; an ensemble's spread at the price of one network";
  }
  [[nodiscard]] std::string_view count_means() const override { return "heads"; }
  [[nodiscard]] std::vector<TrainOptions> trainings(const MethodOptions& options, const TrainOptions& base,
                                                    Index channels) const override {
    require(options.count >= 2 && options.count <= 1000,
            "a diverse network with {} heads: expected 2 to 1000", options.count);
    TrainOptions training = base;
    training.network.outputs = options.count * channels;
    training.network.head_bias = false;
    training.loss = {base.loss.kind, channels, options.count};
    training.diversity = options.diversity;
    return {training};
  }
  void check(const Surrogate& surrogate) const override {
    require_networks(surrogate, 1, 1);
    const Index heads = surrogate.network.outputs / surrogate.channels();
    require_outputs(surrogate, std::max<Index>(2, heads) * surrogate.channels());
  }
  [[nodiscard]] std::unique_ptr<MethodPredictor> predictor(const Surrogate& surrogate, const Shape& grid,
                                                           int threads) const override {
    return std::make_unique<DiversePredictor>(surrogate, grid, threads);
  }
};

}  // namespace

std::unique_ptr<Method> make_diverse() { return std::make_unique<DiverseMethod>(); }

}  // namespace nouq
