// What the library asks of the architecture "axial": its tensors, the grids it accepts, what it costs.
#include <cmath>
#include <memory>

#include "axial_trunk.h"
#include "extensions.h"

namespace {

class Axial final : public nouq::Architecture {
 public:
  std::string_view name() const override { return "axial"; }
  std::string_view summary() const override { return "a spectral layer per axis, without padding"; }
  nouq::Index most_modes(std::size_t, std::size_t, nouq::Index length) const override {
    return length / 2 + 1;
  }

  std::vector<nouq::TensorPlan> tensors(const nouq::NetworkOptions& o) const override {
    const nouq::Index width = o.width;
    std::vector<nouq::TensorPlan> list = {
        nouq::linear_plan("lift.weight", {o.input_channels, width}, o.input_channels),
        nouq::linear_plan("lift.bias", {width}, o.input_channels)};
    for (nouq::Index b = 0; b < o.blocks; ++b) {
      const std::string block = "blocks." + std::to_string(b) + ".";
      list.push_back(nouq::linear_plan(block + "weight", {width, width}, width));
      list.push_back(nouq::linear_plan(block + "bias", {width}, width));
      for (std::size_t axis = 0; axis < o.modes.size(); ++axis) {
        const double bound = std::sqrt(1.0 / static_cast<double>(o.modes[axis] * width));
        list.push_back(
            {block + "spectral" + std::to_string(axis), {o.modes[axis], 2, width, width}, -bound, bound});
      }
    }
    return list;
  }

  // Refuses what it would otherwise ignore.
  void accept(const nouq::NetworkOptions& options, std::span<const nouq::AxisView> grid) const override {
    Architecture::accept(options, grid);
    for (const nouq::Padding& padding : options.padding) {
      if (padding.points != 0 || padding.fraction)
        throw nouq::Error(nouq::Error::Kind::user, "architecture axial pads nothing: give padding = 0");
    }
  }

  nouq::TrunkCost cost(const nouq::NetworkOptions& o, const nouq::Shape& grid) const override {
    double points = 1;
    for (const nouq::Index n : grid) points *= static_cast<double>(n);
    const auto width = static_cast<double>(o.width), blocks = static_cast<double>(o.blocks);
    double spectral = 0;
    for (std::size_t j = 0; j < grid.size(); ++j)
      spectral += 2 * points * static_cast<double>(o.modes[j]) * width *
                  (1 + 2 * width / static_cast<double>(grid[j]));
    const double forward = blocks * (points * width * width + spectral);
    return {forward, 2 * forward, blocks * 4 * points * width};
  }

  std::unique_ptr<nouq::Trunk<float>> single_trunk(const nouq::TrunkPlace& place) const override {
    return std::make_unique<AxialTrunk<float>>(place);
  }
  std::unique_ptr<nouq::Trunk<double>> double_trunk(const nouq::TrunkPlace& place) const override {
    return std::make_unique<AxialTrunk<double>>(place);
  }
};

}  // namespace

void add_axial() { nouq::register_architecture(std::make_unique<Axial>()); }
