// MC-DropoutNO: dropout stays on when predicting; the spread over masks is the uncertainty.
#include "core/checksum.h"
#include "core/error.h"
#include "core/threads.h"
#include "uq/method.h"
#include "uq/moments.h"

namespace nouq {
namespace {

Index mask_count(const Surrogate& surrogate) { return state_integer(surrogate, "dropout.masks", 2, 1000); }
std::uint64_t mask_seed(const Surrogate& surrogate) {
  return static_cast<std::uint64_t>(state_integer(surrogate, "dropout.seed", 0, Index{1} << 53U));
}

// Whether every input has masks of its own; models of before 0.2 have the same for all.
bool masks_per_input(const Surrogate& surrogate) {
  return surrogate.state.contains("dropout.per_input") &&
         state_integer(surrogate, "dropout.per_input", 0, 1) == 1;
}

std::uint64_t seed_for(std::span<const float> input, std::uint64_t seed) {
  return crc64(std::as_bytes(input), seed);
}

// Masks are drawn anew for every input, as the released code does: shared ones would be the same noise in all
// predictions, and a share of samples that lie within their intervals would see it as a bias. They are keyed
// by the input's values, so a prediction does not depend on what else is in the batch.
class DropoutPredictor final : public MethodPredictor {
 public:
  DropoutPredictor(const Surrogate& surrogate, const Shape& grid, int threads)
      : surrogate_(surrogate),
        network_(surrogate.network, grid, threads),
        threads_(resolve_threads(threads)),
        count_(mask_count(surrogate)),
        per_input_(masks_per_input(surrogate)),
        masks_(per_input_ ? threads_ : 1) {
    if (!per_input_) network_.draw_masks(mask_seed(surrogate_), count_, masks_.front());
  }
  [[nodiscard]] Index samples() const override { return count_; }

  void predict(const float* inputs, Index batch, double* mean, double* variance, float* samples,
               double* pooled) override {
    const Index size = network_.points() * surrogate_.channels();
    const float* weights = surrogate_.weights.at(0).data();
    if (samples == nullptr) {
      own_.resize(batch * count_ * size);
      samples = own_.data();
    }
    const Index input_size = network_.points() * std::ssize(surrogate_.input_channels);
    network_.trunk_forward(weights, inputs, batch);
    network_.write_pooled(batch, pooled);
    parallel_for(threads_, batch, [&](Index b) {
      float* fields = samples + b * count_ * size;
      network_.head_forward_masks(weights, b, masks_for(inputs + b * input_size), fields);
      moments(fields, {count_, size, 1}, size, mean + b * size, variance + b * size);
    });
  }

 private:
  const Buffer<float>& masks_for(const float* input) {
    if (!per_input_) return masks_.front();
    const std::span<const float> values(input, network_.points() * surrogate_.input_channels.size());
    Buffer<float>& masks = masks_[thread_index()];
    network_.draw_masks(seed_for(values, mask_seed(surrogate_)), count_, masks);
    return masks;
  }

  const Surrogate& surrogate_;
  Network<float> network_;
  int threads_;
  Index count_;
  bool per_input_;
  std::vector<Buffer<float>> masks_;  // one per thread, or one for all inputs
  Buffer<float> own_;                 // [batch][masks][points][channels]
};

struct DropoutOptions {
  Index count = 10;      // masks
  double dropout = 0.1;  // probability
};

class DropoutMethod final : public Method {
 public:
  [[nodiscard]] std::string_view name() const override { return "dropout"; }
  [[nodiscard]] std::string_view summary() const override {
    return "one network whose features are dropped at random, also when predicting";
  }
  [[nodiscard]] std::string_view count_means() const override { return "masks"; }
  void describe(OptionTable& table, MethodOptions& options) const override {
    auto& o = options.own<DropoutOptions>();
    table.add("count", o.count, "masks").between(2, 1000);
    table.add("dropout", o.dropout, "probability of dropping a feature")
        .between(0, 0.99)
        .about(
            "The paper chooses 0.1 or 0.25 by validation error. More gives more spread and less accuracy (Gal and "
            "Ghahramani, 2016).");
  }
  void recover(const Surrogate& surrogate, MethodOptions& options) const override {
    options.own<DropoutOptions>() = {mask_count(surrogate), surrogate.network.dropout};
  }
  [[nodiscard]] std::vector<TrainerOptions> trainings(const MethodOptions& options,
                                                      const TrainerOptions& base,
                                                      Index channels) const override {
    const double probability = options.own<DropoutOptions>().dropout;
    require(probability > 0.0, "dropout = 0: all masks would be the same; expected more than 0");
    TrainerOptions training = base;
    training.network.outputs = channels;
    training.network.dropout = probability;
    training.loss = {base.loss.kind, channels, 1};
    return {training};
  }
  void finish(const MethodOptions& options, const ScaledData& /*train*/, int /*threads*/,
              Surrogate& surrogate) const override {
    surrogate.state["dropout.masks"] = number(static_cast<double>(options.own<DropoutOptions>().count));
    surrogate.state["dropout.seed"] = number(prediction_seed);
    surrogate.state["dropout.per_input"] = number(1);
  }
  void check(const Surrogate& surrogate) const override {
    require_networks(surrogate, 1, 1);
    require_outputs(surrogate, surrogate.channels());
    (void)mask_count(surrogate);
    (void)mask_seed(surrogate);
    (void)masks_per_input(surrogate);
  }
  [[nodiscard]] MeanRule mean_rule(const Surrogate& surrogate) const override {
    const std::uint64_t seed = mask_seed(surrogate);
    const bool per_input = masks_per_input(surrogate);
    return {1, mask_count(surrogate), [seed, per_input](std::span<const float> input) {
              return per_input ? seed_for(input, seed) : seed;
            }};
  }
  [[nodiscard]] std::unique_ptr<MethodPredictor> predictor(const Surrogate& surrogate, const Shape& grid,
                                                           int threads) const override {
    return std::make_unique<DropoutPredictor>(surrogate, grid, threads);
  }

 private:
  static constexpr double prediction_seed =
      1;  // masks to predict with have nothing to do with those of training
};

}  // namespace

std::unique_ptr<Method> make_dropout() { return std::make_unique<DropoutMethod>(); }

}  // namespace nouq
