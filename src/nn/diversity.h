// What keeps the heads of a DiverseNO apart: a term that training maximises, lambda * R.
//
// R is the mean over pairs of heads a, b of a distance R(a, b); w_a is the weight vector of head a, Z the
// features of one sample ([points][features]):
//   weights                  |w_a - w_b|^2                                           (the paper's choice)
//   gradients                mean over samples of |Z'Z (w_a - w_b)|
//   standardised_gradients   the same with every column of Z at mean 0, deviation 1, and Z'Z / (points - 1)
//   outputs                  sum over samples of |o_a - o_b| / (n_0 - 1), each head's field o = Z w at norm
//   1;
//                            n_0 is the number of points along the first axis
//   outputs_derivative       the same plus the same of the fields' differences along the first axis
//   standardised_outputs     the same with o at mean 0 and deviation 1 over the samples, point by point
// The kinds of outputs look at unlabelled inputs, those of gradients at the training batch.
//
// Why these forms: all but the last see the features only through the matrix Z'Z, so they cost one small
// matrix per sample and never a field per pair; the sum over all pairs of weights is 2/(M-1) times the
// summed squared distance to the mean head, so it costs O(M).
// Contract: the term acts on the head weights alone, or (`through` the trunk, as released) on all parameters,
// which costs a pass forward and back for every sample that the kind looks at. Values and gradients by the
// heads are computed in double, whatever the network's type; the way back through the trunk is the network's.
// As released, R has no upper bound and the heads drift apart for as long as training runs; with `bound` c >
// 0 the term is c R / (c + R) instead.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "nn/network.h"

namespace nouq {

enum class DiversityKind {
  weights,
  gradients,
  standardised_gradients,
  outputs,
  outputs_derivative,
  standardised_outputs
};

std::string_view name(DiversityKind kind);
DiversityKind diversity_from_name(std::string_view name);
std::vector<std::string> diversity_names();
bool needs_unlabelled_inputs(DiversityKind kind);

// How far the gradient of the term goes.
enum class DiversityReach { heads, trunk };

std::string_view name(DiversityReach reach);
DiversityReach reach_from_name(std::string_view name);
std::vector<std::string> reach_names();

struct Diversity {
  DiversityKind kind = DiversityKind::weights;
  double strength = 0;  // lambda, on the scale of a loss summed over the batch; 0: no term
  double bound = 0;     // what lambda's factor saturates at; 0: not bounded, as in the paper
  Index warmup = 10;    // first epochs without the term
  Index sampled = 0;    // heads drawn, with replacement, for a batch (released: 5); 0: all pairs
  DiversityReach through = DiversityReach::heads;

  // The heads' weights do not depend on the trunk.
  [[nodiscard]] bool reaches_trunk() const {
    return through == DiversityReach::trunk && kind != DiversityKind::weights;
  }

  friend bool operator==(const Diversity&, const Diversity&) = default;
};

// Throws when the strength is negative, or when there are not at least two heads to keep apart.
void validate(const Diversity& diversity, const NetworkOptions& network, Index heads);

// The heads whose pairs count in one step: all, or `sampled` draws, in which a head may appear twice.
std::vector<Index> drawn_heads(const Diversity& diversity, Index heads, std::uint64_t seed,
                               std::uint64_t step);

// R for the given heads, and its gradient with respect to every head weight ([heads][features], overwritten).
// `inputs` ([batch][axes...][channels]) are the samples that the kind looks at; `weights` needs none. Over
// ranks that share the network every one has all of them.
template <class T>
double diversity(DiversityKind kind, Network<T>& network, const T* parameters, const T* inputs, Index batch,
                 std::span<const Index> heads, std::span<double> gradient);

// The same with respect to every parameter of the network ([parameters], overwritten). `at_once` samples go
// through it together: what memory is needed for. Over ranks each has the gradient of the parts it owns.
template <class T>
double diversity_of_all(DiversityKind kind, Network<T>& network, const T* parameters, const T* inputs,
                        Index batch, Index at_once, std::span<const Index> heads, std::span<T> gradient);

// The factor that turns R's value and gradient into those of the bounded term.
struct Saturation {
  double value;       // of the term
  double derivative;  // by R
};
Saturation saturate(double r, double bound);

}  // namespace nouq
