// How new an input is to a surrogate: its distance from the training inputs as the network sees them, and by
// how much it leaves their ranges.
//
// The trunk's hidden channels, pooled over the field (Network::write_pooled), are kept for some training
// inputs, and a new input is compared with the nearest of them: that notices a gap between training inputs,
// too, for any kind of field and any architecture. Distances are whitened by 0.9 of the covariance of the
// kept ones and 0.1 of their mean variance: directions that training never took count about three times as
// much as the average one, not infinitely.
//
// Outside is 0 within the ranges of the training data, else 1 + 10 times the part of the range's width (of
// its value, where it has no width) by which the worst of parameters and input channels leaves it.
// Contract: kept as "trust.training" [inputs, 2 width], at most 6144 numbers unless fewer than 24 inputs.
// Const after construction; allocates nothing but in outside_reasons().
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/normalisation.h"
#include "uq/surrogate.h"

namespace nouq {

class ScaledData;

// Writes what is kept of the training inputs, evenly spaced over the data; nothing where the network gives no
// finite numbers. The surrogate has its networks.
void keep_training_inputs(const ScaledData& train, int threads, Surrogate& surrogate);

class Novelty {
 public:
  explicit Novelty(const Surrogate& surrogate);

  // Whether there is something to compare with.
  [[nodiscard]] bool has_distance() const { return !kept_.empty(); }
  // `scratch` has room for as many numbers as `pooled`.
  [[nodiscard]] double distance(std::span<const double> pooled, std::span<double> scratch) const;
  // Of what is there; either may be empty.
  [[nodiscard]] double outside(std::span<const double> parameters, std::span<const float> inputs) const;
  // "m = 6.2 is outside 2 to 3" for all whose part is above `least`, the farthest first.
  [[nodiscard]] std::vector<std::string> outside_reasons(std::span<const double> parameters,
                                                         std::span<const float> inputs, double least) const;

 private:
  void whiten(std::span<const double> pooled, std::span<double> out) const;

  const Surrogate& surrogate_;
  std::vector<double> centre_;
  std::vector<double> factor_;  // lower triangle of the metric's Cholesky factor, [size, size]
  std::vector<double> kept_;    // whitened, [inputs, size]
};

}  // namespace nouq
