// EnsembleNO: networks that differ in their seed alone; their spread is the uncertainty.
#include <algorithm>

#include "uq/method.h"
#include "uq/moments.h"

namespace nouq {
namespace {

class EnsemblePredictor final : public MethodPredictor {
 public:
  EnsemblePredictor(const Surrogate& surrogate, const Shape& grid, int threads)
      : surrogate_(surrogate), network_(surrogate.network, grid, threads) {}
  [[nodiscard]] Index samples() const override { return std::ssize(surrogate_.weights); }

  // One network's memory serves all members, one after another.
  void predict(const float* inputs, Index batch, double* mean, double* variance, float* samples,
               double* pooled) override {
    const Index size = network_.points() * surrogate_.channels();
    members_.resize(this->samples() * batch * size);
    for (Index k = 0; k < this->samples(); ++k) {
      network_.predict(surrogate_.weights[k].data(), inputs, batch, members_.data() + k * batch * size);
      if (k == 0) network_.write_pooled(batch, pooled);
    }
    moments(members_.data(), {this->samples(), batch * size, 1}, batch * size, mean, variance);
    if (samples == nullptr) return;
    for (Index b = 0; b < batch; ++b) {
      for (Index k = 0; k < this->samples(); ++k)
        std::copy_n(members_.data() + (k * batch + b) * size, size,
                    samples + (b * this->samples() + k) * size);
    }
  }

 private:
  const Surrogate& surrogate_;
  Network<float> network_;
  Buffer<float> members_;  // [members][batch][points][channels]
};

struct EnsembleOptions {
  Index count = 10;  // networks
};

class EnsembleMethod final : public Method {
 public:
  [[nodiscard]] std::string_view name() const override { return "ensemble"; }
  [[nodiscard]] std::string_view summary() const override {
    return "several networks from different seeds; the best spread, at the price of them all";
  }
  [[nodiscard]] std::string_view count_means() const override { return "networks"; }
  void describe(OptionTable& table, MethodOptions& options) const override {
    table.add("count", options.own<EnsembleOptions>().count, "networks").between(2, 1000);
  }
  void recover(const Surrogate& surrogate, MethodOptions& options) const override {
    options.own<EnsembleOptions>().count = std::ssize(surrogate.weights);
  }
  [[nodiscard]] std::vector<TrainerOptions> trainings(const MethodOptions& options,
                                                      const TrainerOptions& base,
                                                      Index channels) const override {
    std::vector<TrainerOptions> members(options.own<EnsembleOptions>().count, base);
    for (std::size_t k = 0; k < members.size(); ++k) {
      members[k].network.outputs = channels;
      members[k].loss = {base.loss.kind, channels, 1};
      members[k].seed = member_seed(base.seed, static_cast<Index>(k));
    }
    return members;
  }
  void check(const Surrogate& surrogate) const override {
    require_networks(surrogate, 2, 1000);
    require_outputs(surrogate, surrogate.channels());
  }
  [[nodiscard]] std::unique_ptr<MethodPredictor> predictor(const Surrogate& surrogate, const Shape& grid,
                                                           int threads) const override {
    return std::make_unique<EnsemblePredictor>(surrogate, grid, threads);
  }
};

}  // namespace

std::unique_ptr<Method> make_ensemble() { return std::make_unique<EnsembleMethod>(); }

}  // namespace nouq
