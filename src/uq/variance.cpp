// VarianceNO: the network gives mean and variance, trained by the Gaussian likelihood.
#include "core/threads.h"
#include "uq/method.h"

namespace nouq {
namespace {

class VariancePredictor final : public MethodPredictor {
 public:
  VariancePredictor(const Surrogate& surrogate, const Shape& grid, int threads)
      : surrogate_(surrogate), network_(surrogate.network, grid, threads) {}
  [[nodiscard]] Index samples() const override { return 0; }

  void predict(const float* inputs, Index batch, double* mean, double* variance, float* /*samples*/,
               double* pooled) override {
    const Index channels = surrogate_.channels();
    const Index rows = batch * network_.points();
    outputs_.resize(rows * 2 * channels);
    network_.predict(surrogate_.weights.at(0).data(), inputs, batch, outputs_.data());
    network_.write_pooled(batch, pooled);
    for (Index p = 0; p < rows; ++p) {
      for (Index c = 0; c < channels; ++c) {
        mean[p * channels + c] = static_cast<double>(outputs_[p * 2 * channels + c]);
        variance[p * channels + c] = softplus(static_cast<double>(outputs_[p * 2 * channels + channels + c]));
      }
    }
  }

 private:
  const Surrogate& surrogate_;
  Network<float> network_;
  Buffer<float> outputs_;
};

class VarianceMethod final : public Method {
 public:
  [[nodiscard]] std::string_view name() const override { return "variance"; }
  [[nodiscard]] std::string_view summary() const override {
    return "one network with a mean and a variance output, trained by the Gaussian likelihood";
  }
  void describe(OptionTable& /*table*/, MethodOptions& /*options*/) const override {}
  [[nodiscard]] std::vector<LossKind> losses() const override {
    return {LossKind::gaussian_nll, LossKind::gaussian_crps};
  }
  [[nodiscard]] bool has_variance_in_training() const override { return true; }
  [[nodiscard]] std::vector<TrainerOptions> trainings(const MethodOptions& /*options*/,
                                                      const TrainerOptions& base,
                                                      Index channels) const override {
    TrainerOptions training = base;
    training.network.outputs = 2 * channels;
    training.loss = {base.loss.gaussian() ? base.loss.kind : LossKind::gaussian_nll, channels, 1};
    return {training};
  }
  void check(const Surrogate& surrogate) const override {
    require_networks(surrogate, 1, 1);
    require_outputs(surrogate, 2 * surrogate.channels());
  }
  [[nodiscard]] MeanRule mean_rule(const Surrogate& /*surrogate*/) const override { return {1}; }
  [[nodiscard]] std::unique_ptr<MethodPredictor> predictor(const Surrogate& surrogate, const Shape& grid,
                                                           int threads) const override {
    return std::make_unique<VariancePredictor>(surrogate, grid, threads);
  }
};

}  // namespace

std::unique_ptr<Method> make_variance() { return std::make_unique<VarianceMethod>(); }

}  // namespace nouq
