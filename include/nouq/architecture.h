// Architectures of neural operators: what a network of your own has to say, and where to say it.
//
// A network of nouq is a trunk and a head. The trunk takes input fields to `width` hidden channels at every
// point; the head, common to all, makes the outputs of them: the mean, several heads, mean and variance. The
// uncertainty methods, losses, training, model files, projection and report only meet the head, so any trunk
// works with all of them. Derive from Trunk and Architecture, and before the first use:
//
//   nouq::register_architecture(std::make_unique<MyArchitecture>());
//   nouq::TrainSettings settings;
//   settings.architecture = "mine";
//
// Kernels to build a trunk from are in <nouq/kernels.h>; examples/extend has a whole one.
//
// Contract of a trunk: results do not depend on the number of threads (cut the work without knowing it, let
// each piece write its own place, add in the order of the index), a step allocates nothing once it has seen
// the batch size, and backward() is the exact adjoint of forward(): compare it with central differences in
// double, as tests/nn/gradient_test.cpp does.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nouq/array.h>
#include <nouq/error.h>
#include <nouq/export.h>

namespace nouq {

// How far a field is continued with zeros at the end of an axis, because the Fourier basis is periodic and
// the field is not.
struct NOUQ_API Padding {
  Index points = 9;
  // Of the length of the axis, instead of a number of points: the padded period then stays the same physical
  // length on every grid, so that a trained network can be evaluated on a finer or coarser one.
  std::optional<double> fraction;

  [[nodiscard]] Index padded_length(Index length) const;
  // The coordinate the network is given at a point: 0 to 1 at the ends, as in the released code; with a
  // fraction, or without padding, the middle of its cell, which means the same place on every grid.
  [[nodiscard]] double coordinate(Index point, Index length) const;
  friend bool operator==(const Padding&, const Padding&) = default;
};

// What a network looks like, of whatever architecture. The defaults are the paper's and the released code's.
// Width, blocks, modes and padding mean the same in all of them; what one has besides is a number of `extra`,
// under the name it declares.
struct NetworkOptions {
  Index input_channels = 1;
  Index outputs = 1;                        // columns of the head: channels, heads, or mean and variance
  std::vector<Index> modes = {12, 12};      // kept frequencies, one number per axis of the grid
  std::vector<Padding> padding = {{}, {}};  // one per axis; {.points = 0} for a periodic one
  Index width = 32;                         // channels of the trunk
  Index blocks = 4;
  Index features = 128;  // width of the last hidden layer, which is the head's
  bool head_bias = true;
  double dropout = 0.0;                 // probability that a feature is dropped, before its GELU
  std::string architecture = "fno";     // a name of architecture_names()
  std::map<std::string, double> extra;  // the architecture's own settings, all of them

  [[nodiscard]] Index axes() const { return std::ssize(modes); }
  // Inputs, coordinates and the constant 1 that carries the bias.
  [[nodiscard]] Index lifted_channels() const { return input_channels + axes() + 1; }
  friend bool operator==(const NetworkOptions&, const NetworkOptions&) = default;
};

// The padded length of every axis of a grid. Throws when the grid has another number of axes than the
// options, or an axis is too short for its modes, which is for the architecture to say.
NOUQ_API std::vector<Index> padded_lengths(const NetworkOptions& options, const Shape& grid);

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
// Uniform within +-1 / sqrt(fan in), the usual start of a linear layer.
NOUQ_API TensorPlan linear_plan(std::string name, Shape shape, Index fan_in);

// Where the tensors of a network lie in its one flat array of parameters.
class NOUQ_API TensorPlaces {
 public:
  virtual ~TensorPlaces() = default;
  // Throws when there is none of that name.
  [[nodiscard]] virtual Index offset(std::string_view name) const = 0;
  // Numbers of the tensors whose gradients are made per sample, and of those the trunk's, which come first.
  [[nodiscard]] virtual Index dense_size() const = 0;
  [[nodiscard]] virtual Index trunk_dense_size() const = 0;
};

// What a trunk is made for. A trunk copies what it keeps.
struct TrunkPlace {
  const NetworkOptions& options;
  const TensorPlaces& tensors;
  const Shape& grid;
  int threads;
};

// inputs are [batch][axis 0]...[channel] in the user's order; `parameters` is the whole flat array. One
// caller at a time.
template <class T>
class Trunk {
 public:
  virtual ~Trunk() = default;

  // With keep, everything backward() needs is stored.
  virtual void forward(const T* parameters, const T* inputs, Index batch, bool keep) = 0;
  // Of the last forward(), one sample: [points][width], points in the trunk's own order.
  [[nodiscard]] virtual const T* output(Index sample) const = 0;
  // point_order()[p] is the position, in the user's order, of the trunk's p-th point.
  [[nodiscard]] virtual const std::vector<Index>& point_order() const = 0;

  // Where the gradient with respect to output(sample) is written before backward(): runs of
  // gradient_run().points rows that lie gradient_run().stride numbers apart, so that a trunk may keep room
  // for padding between them.
  virtual T* output_gradient(Index sample) = 0;
  struct Run {
    Index points;
    Index stride;
  };
  [[nodiscard]] virtual Run gradient_run() const = 0;

  // Follows a forward() with keep. Writes, not adds, the gradient of every tensor of the trunk: of the dense
  // ones per sample into `partials` ([batch][dense size]; the network adds samples up in their order), of the
  // others into `gradient`. `input_gradient`, when it is not null, receives the gradient with respect to the
  // inputs, in their layout.
  virtual void backward(const T* parameters, Index batch, T* partials, T* gradient, T* input_gradient) = 0;
  // The same for a trunk with large shared tensors, which need not have memory for their gradient: part by
  // part, each once, it is given to `take` (parameters first .. first + count - 1) as soon as the pass reads
  // those parameters no more, so that they may be changed there and then. `take` is called from several
  // threads. Returns false where a trunk cannot do this, as all can that do not say otherwise.
  using TakeGradient = std::function<void(Index first, Index count, const T* gradient)>;
  virtual bool backward_in_parts(const T* /*parameters*/, Index /*batch*/, T* /*partials*/,
                                 const TakeGradient& /*take*/) {
    return false;
  }

  // Bytes held for activations and scratch.
  [[nodiscard]] virtual std::size_t memory() const = 0;
};

// A number that an architecture has besides width, blocks, modes and padding; kept in NetworkOptions::extra.
struct ArchitectureSetting {
  std::string name;       // as on the command line
  std::string help;       // one line
  std::string paragraph;  // what it does, when to change it, where it comes from
  double value = 0;       // unless given
  double low = 0, high = 0;
  bool integer = true;
};

// One axis of the grid a network is to work on.
struct AxisView {
  std::span<const double> coordinates;
  bool periodic = false;
  bool cells = false;  // values are at the centres of cells, or their averages
};

// Multiply-adds of a trunk for one sample, and numbers per sample that a training step moves through memory.
struct TrunkCost {
  double forward = 0;
  double backward = 0;
  double kept_numbers = 0;
};

class NOUQ_API Architecture {
 public:
  virtual ~Architecture() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view summary() const = 0;
  [[nodiscard]] virtual std::vector<ArchitectureSetting> settings() const { return {}; }
  // How many frequencies an axis of `length` points, padding included, can keep.
  [[nodiscard]] virtual Index most_modes(std::size_t axis, std::size_t axes, Index length) const = 0;
  // In the order of the model file. The options are valid but for what this throws on.
  [[nodiscard]] virtual std::vector<TensorPlan> tensors(const NetworkOptions& options) const = 0;
  // Throws when the network cannot work on the grid, and says why. Unless overridden: any grid that holds the
  // modes. Its points are evenly spaced: fields on others are interpolated before networks see them.
  virtual void accept(const NetworkOptions& options, std::span<const AxisView> grid) const;
  [[nodiscard]] virtual TrunkCost cost(const NetworkOptions& options, const Shape& grid) const = 0;
  // One class template serves both: return std::make_unique<MyTrunk<float>>(place), and <double>.
  [[nodiscard]] virtual std::unique_ptr<Trunk<float>> single_trunk(const TrunkPlace& place) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Trunk<double>> double_trunk(const TrunkPlace& place) const = 0;
  // Whether a batch may be cut into smaller ones for several ranks: forward() and backward() then give each
  // sample the same bits whatever else is in the batch, and all tensors are dense. Otherwise one rank trains
  // a network alone.
  [[nodiscard]] virtual bool can_share_batches() const { return false; }
};

NOUQ_API std::vector<std::string> architecture_names();

struct ArchitectureInfo {
  std::string name;
  std::string summary;
  std::vector<ArchitectureSetting> settings;  // its own, besides width, blocks, modes and padding
};
// All of them, the built-in ones first, as `nouq architectures` shows them.
NOUQ_API std::vector<ArchitectureInfo> architecture_list();
// Before any network of that name is made or loaded; throws when the name is taken. Not while other threads
// use networks.
NOUQ_API void register_architecture(std::unique_ptr<Architecture> architecture);

// The user's index of every point, visited with axis 0 fastest: the order most trunks work in.
NOUQ_API std::vector<Index> axis_0_fastest(const Shape& grid);

}  // namespace nouq
