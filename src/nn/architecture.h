// The architectures of neural operators, behind one interface.
//
// An architecture says which tensors a network has, on which grids it can work, what it costs, and makes the
// trunk that computes it. Everything else (head, losses, uncertainty methods, training, model file, tool and
// bindings) is common: none of them knows an architecture by name.
//
// Adding one is a folder nn/<name> with a class derived from Architecture and one from Trunk, one line in
// architectures.def, one test. From outside the library: <nouq/architecture.h>.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/grid.h"
#include "nn/network_options.h"
#include "nn/trunk.h"

namespace nouq {

// A tensor of the trunk. Its initial values are uniform between `low` and `high`.
struct TensorPlan {
  std::string name;
  Shape shape;
  double low = 0;
  double high = 0;
  // Whether its gradient is made per sample and added up in the order of the samples. The large tensors that
  // all samples share (one matrix per Fourier mode) are better served by one sum over the batch: not dense.
  bool dense = true;
};

// A number that an architecture has besides width, blocks, modes and padding; kept in NetworkOptions::extra.
struct ArchitectureSetting {
  std::string name;  // as on the command line
  std::string help;
  double value = 0;  // unless given
  double low = 0, high = 0;
  bool integer = true;
};

// Multiply-adds of a trunk for one sample, and what one training step moves through memory besides.
struct TrunkCost {
  double forward = 0;
  double backward = 0;
  double kept_numbers = 0;  // per sample, stored for the backward pass
};

class ParameterLayout;

// What a trunk is made for. A trunk may keep copies of all of it.
struct TrunkPlace {
  const NetworkOptions& options;
  const ParameterLayout& layout;
  const Shape& grid;
  int threads;
};

class Architecture {
 public:
  virtual ~Architecture() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view summary() const = 0;
  [[nodiscard]] virtual std::vector<ArchitectureSetting> settings() const { return {}; }
  // How many frequencies an axis of `length` points, padding included, can keep.
  [[nodiscard]] virtual Index most_modes(std::size_t axis, std::size_t axes, Index length) const = 0;
  // In the order of the model file. The options are valid but for what this throws on.
  [[nodiscard]] virtual std::vector<TensorPlan> tensors(const NetworkOptions& options) const = 0;
  // Throws when the network cannot work on the grid, and says why. The base asks for as many points as the
  // modes need. Coordinates are taken as evenly spaced.
  virtual void accept(const NetworkOptions& options, const Grid& grid) const;
  [[nodiscard]] virtual TrunkCost cost(const NetworkOptions& options, const Shape& grid) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Trunk<float>> single_trunk(const TrunkPlace& place) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Trunk<double>> double_trunk(const TrunkPlace& place) const = 0;
};

// Throws for an unknown name, and suggests the nearest.
const Architecture& find_architecture(std::string_view name);
std::vector<std::string> architecture_names();

template <class T>
std::unique_ptr<Trunk<T>> make_trunk(const TrunkPlace& place) {
  const Architecture& architecture = find_architecture(place.options.architecture);
  if constexpr (std::is_same_v<T, float>) {
    return architecture.single_trunk(place);
  } else {
    return architecture.double_trunk(place);
  }
}

// Before any network of that name is made; throws when the name is taken. Not while other threads use
// networks.
void register_architecture(std::unique_ptr<Architecture> architecture);

// uniform within +-1 / sqrt(fan in), the usual start of a linear layer.
TensorPlan linear_plan(std::string name, Shape shape, Index fan_in);

}  // namespace nouq
