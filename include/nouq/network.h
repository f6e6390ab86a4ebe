// A network with weights made elsewhere: run it, or make a model of it.
//
// When: weights come from another program (the paper's released code, PyTorch) and are to be asked here, with
// trust, projection and everything else that takes a Model:
//
//   nouq::NetworkOptions options;         // nouq/architecture.h: modes, padding, width, ...
//   nouq::FixedNetwork network(options, tensors);            // "lift.weight", "blocks.0.linear.weight", ...
//   const nouq::Array<float> u = network.run(inputs);
//   network.model(grid).save("theirs.nouq");
//
// Contract: the tensors are all that the architecture names (docs/model-file.md), in its shapes; anything
// else is refused by name. run() may be called from many threads; calls follow each other.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <nouq/architecture.h>
#include <nouq/array.h>
#include <nouq/grid.h>
#include <nouq/model.h>

namespace nouq {

class NOUQ_API FixedNetwork {
 public:
  FixedNetwork(const NetworkOptions& options, const std::map<std::string, Array<float>>& tensors);
  ~FixedNetwork();
  FixedNetwork(const FixedNetwork&) = delete;
  FixedNetwork& operator=(const FixedNetwork&) = delete;

  [[nodiscard]] const NetworkOptions& options() const;
  [[nodiscard]] std::map<std::string, Array<float>> tensors() const;

  // [samples, axes..., input channels] -> [samples, axes..., outputs]. The network of the last grid is kept.
  [[nodiscard]] Array<float> run(const Array<float>& inputs, int threads = 1);

  // Heads without bias make a model of the method diverse. A single output has no uncertainty of its own: a
  // Gaussian over the last layer without spread (method bayesian), and facts() says so.
  [[nodiscard]] Model model(const Grid& grid) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nouq
