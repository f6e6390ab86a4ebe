// F-FNO: a factorised Fourier neural operator. A spectral convolution along each axis alone, their sum
// through a small feed-forward part, and a residual connection.
// Tran, Mathews, Xie, Ong, "Factorized Fourier Neural Operators", ICLR 2023. Differences from their code:
// GELU instead of ReLU, the head reads the residual stream, no weight normalisation.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "nn/ffno/ffno_trunk.h"

namespace nouq {
namespace {

class Ffno final : public Architecture {
 public:
  [[nodiscard]] std::string_view name() const override { return "ffno"; }
  [[nodiscard]] std::string_view summary() const override {
    return "factorised Fourier neural operator: a spectral layer along each axis, far fewer weights";
  }
  [[nodiscard]] std::vector<ArchitectureSetting> settings() const override {
    return {
        {ffno_expansion, "channels of ffno's feed-forward part, a whole multiple of the width",
         "Twice the width unless given; the authors take four. What couples the axes in a block: more of it "
         "costs time and weights in proportion.",
         2, 1, 16, true}};
  }

  // Every axis keeps frequencies of one sign.
  [[nodiscard]] Index most_modes(std::size_t /*axis*/, std::size_t /*axes*/, Index length) const override {
    return std::max<Index>(1, length / 2 + 1);
  }

  [[nodiscard]] std::vector<TensorPlan> tensors(const NetworkOptions& o) const override {
    const Index width = o.width, inputs = o.lifted_channels() - 1;
    const Index expanded = width * static_cast<Index>(o.extra.at(ffno_expansion));
    std::vector<TensorPlan> list = {linear_plan("lift.weight", {inputs, width}, inputs),
                                    linear_plan("lift.bias", {width}, inputs)};
    for (Index b = 0; b < o.blocks; ++b) {
      const auto name = [&](const char* part) { return fmt::format("blocks.{}.{}", b, part); };
      list.push_back(linear_plan(name("feed1.weight"), {width, expanded}, width));
      list.push_back(linear_plan(name("feed1.bias"), {expanded}, width));
      list.push_back(linear_plan(name("feed2.weight"), {expanded, width}, expanded));
      list.push_back(linear_plan(name("feed2.bias"), {width}, expanded));
      for (std::size_t j = 0; j < o.modes.size(); ++j) {
        // The deviation of the authors' initial values, 1 / sqrt(2 modes width), as a uniform distribution.
        const double bound = std::sqrt(3.0 / (2.0 * number(o.modes[j]) * number(width)));
        list.push_back({fmt::format("blocks.{}.spectral{}.weight", b, j),
                        {o.modes[j], 2, width, width},
                        -bound,
                        bound,
                        true});
      }
    }
    return list;
  }

  [[nodiscard]] bool can_share_batches() const override { return true; }
  [[nodiscard]] TrunkCost cost(const NetworkOptions& o, const Shape& grid) const override {
    const auto lengths = padded_lengths(o, grid);
    const double width = number(o.width), points = number(element_count(grid));
    const double padded = number(element_count(lengths)), lift = points * number(o.lifted_channels()) * width;
    const double expanded = width * o.extra.at(ffno_expansion);
    double spectral = 0, coefficients = 0;
    for (std::size_t j = 0; j < grid.size(); ++j) {
      const double lines = padded / number(lengths[j]), rows = number(2 * o.modes[j] - 1);
      spectral += 2 * lines * number(lengths[j] / 2 + 1) * rows * width + 2 * lines * rows * width * width;
      coefficients += lines * rows * width;
    }
    const double inner = number(o.blocks - 1) * padded + points;  // points of all feed-forward parts
    TrunkCost cost;
    cost.forward = lift + number(o.blocks) * spectral + 2 * inner * width * expanded;
    cost.backward = lift + 4 * inner * width * expanded;
    for (std::size_t j = 0; j < grid.size(); ++j) {
      const double lines = padded / number(lengths[j]), rows = number(2 * o.modes[j] - 1);
      cost.backward += number(o.blocks) * 2 * lines * rows * width * width;  // of the weights
    }
    cost.backward += number(o.blocks) * spectral;
    cost.kept_numbers = 2 * number(o.blocks) * (padded * (width + 2 * expanded) + coefficients);
    return cost;
  }

  [[nodiscard]] std::unique_ptr<Trunk<float>> single_trunk(const TrunkPlace& place) const override {
    return std::make_unique<FfnoTrunk<float>>(place);
  }
  [[nodiscard]] std::unique_ptr<Trunk<double>> double_trunk(const TrunkPlace& place) const override {
    return std::make_unique<FfnoTrunk<double>>(place);
  }
};

}  // namespace

std::unique_ptr<Architecture> make_ffno() { return std::make_unique<Ffno>(); }

}  // namespace nouq
