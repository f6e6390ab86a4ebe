// FNO: the Fourier neural operator of the paper. A block is h <- gelu(K h + h W + bias) with the spectral
// convolution K over all axes at once: every kept mode of the grid has its own complex matrix.
// Li et al., "Fourier Neural Operator for Parametric Partial Differential Equations", ICLR 2021.
#include <algorithm>

#include "core/error.h"
#include "nn/fno/fno_trunk.h"

namespace nouq {
namespace {

// All but the last axis keep frequencies of both signs.
Index mode_count(const NetworkOptions& o) {
  Index count = 1;
  for (std::size_t axis = 0; axis < o.modes.size(); ++axis) {
    const bool last = axis + 1 == o.modes.size();
    require(!__builtin_mul_overflow(count, last ? o.modes[axis] : 2 * o.modes[axis], &count),
            "the network has more modes than can be counted");
  }
  return count;
}

// One transform between the field and its real coefficients, per sample: axis 0 on slices, then the others.
// `inner` cuts the slices and rows to the unpadded field.
double transform_cost(const NetworkOptions& o, const Shape& grid, const Shape& lengths, bool inner) {
  double total = 0, columns = number(o.width);
  for (std::size_t j = 0; j < grid.size(); ++j) {
    const bool last = j + 1 == grid.size();
    const double rows = number(2 * (last ? o.modes[j] : o.modes[j] + 1) - 1);
    double outer = 1;
    for (std::size_t i = j + 1; i < grid.size(); ++i) outer *= number(inner ? grid[i] : lengths[i]);
    total += outer * number(lengths[j] / 2 + 1) * rows * columns;
    columns *= rows;
  }
  return total;
}

class Fno final : public Architecture {
 public:
  [[nodiscard]] std::string_view name() const override { return "fno"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Fourier neural operator: one complex matrix for every kept mode of the whole grid";
  }

  // All but the last axis keep -m .. m-1 and need 2 m points, the last keeps 0 .. m-1 and needs 2 m - 2.
  [[nodiscard]] Index most_modes(std::size_t axis, std::size_t axes, Index length) const override {
    return std::max<Index>(1, axis + 1 == axes ? length / 2 + 1 : length / 2);
  }

  [[nodiscard]] std::vector<TensorPlan> tensors(const NetworkOptions& o) const override {
    const Index width = o.width, inputs = o.lifted_channels() - 1;
    std::vector<TensorPlan> list = {linear_plan("lift.weight", {inputs, width}, inputs),
                                    linear_plan("lift.bias", {width}, inputs)};
    for (Index b = 0; b < o.blocks; ++b) {
      list.push_back(linear_plan(fmt::format("blocks.{}.linear.weight", b), {width, width}, width));
      list.push_back(linear_plan(fmt::format("blocks.{}.linear.bias", b), {width}, width));
    }
    // The authors' initial values: real and imaginary parts in [0, 1/width^2).
    for (Index b = 0; b < o.blocks; ++b)
      list.push_back({fmt::format("blocks.{}.spectral.weight", b),
                      {mode_count(o), width, 2, width},
                      0.0,
                      1.0 / number(width * width),
                      false});
    return list;
  }

  [[nodiscard]] bool can_share_batches() const override { return true; }
  [[nodiscard]] TrunkCost cost(const NetworkOptions& o, const Shape& grid) const override {
    const auto lengths = padded_lengths(o, grid);
    const double width = number(o.width), lifted = number(o.lifted_channels());
    const double points = number(element_count(grid)), padded = number(element_count(lengths));
    const double mixing = 4 * number(mode_count(o)) * width * width;
    const double whole = transform_cost(o, grid, lengths, false),
                 cropped = transform_cost(o, grid, lengths, true);
    const double inner_blocks = number(std::max<Index>(0, o.blocks - 2));
    const bool several = o.blocks > 1;
    const double first = (several ? padded : points) * lifted * width;
    TrunkCost cost;
    cost.forward = number(o.blocks) * mixing + first + cropped;
    if (several) cost.forward += 2 * whole + points * width * width;  // between first and last block
    cost.forward += inner_blocks * (2 * whole + padded * width * width);
    cost.backward = number(o.blocks) * 2 * mixing + cropped + first;
    if (several) cost.backward += 2 * points * width * width + 2 * whole;
    cost.backward += inner_blocks * (2 * padded * width * width + 2 * whole);
    cost.kept_numbers = number(std::max<Index>(0, o.blocks - 1)) * 5 * padded * width;
    return cost;
  }

  [[nodiscard]] std::unique_ptr<Trunk<float>> single_trunk(const TrunkPlace& place) const override {
    return std::make_unique<FnoTrunk<float>>(place);
  }
  [[nodiscard]] std::unique_ptr<Trunk<double>> double_trunk(const TrunkPlace& place) const override {
    return std::make_unique<FnoTrunk<double>>(place);
  }
};

}  // namespace

std::unique_ptr<Architecture> make_fno() { return std::make_unique<Fno>(); }

}  // namespace nouq
