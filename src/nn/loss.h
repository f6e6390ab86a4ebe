// What training minimises, for one sample: the value and its gradient with respect to the network's outputs.
//
// Contract: outputs are [points][columns], targets [points][channels]. Sums run in double. A loss over a
// batch is the sum of its samples' losses, as in the released code.
//   relative_l2          |u - y| / |y| over the whole field; with several heads the mean over the heads, each
//   against y.
//                        Columns: head 0's channels, head 1's, ...
//   relative_l2_squared  the same with squared norms, the paper's formula
//   gaussian_nll         sum of (mu - y)^2 / v + log v, v = softplus(raw). Columns: all mu, then all raw.
#pragma once

#include <string_view>

#include <nouq/array.h>

namespace nouq {

enum class LossKind { relative_l2, relative_l2_squared, gaussian_nll };

std::string_view name(LossKind kind);

struct Loss {
  LossKind kind = LossKind::relative_l2;
  Index channels = 1;
  Index heads = 1;  // 1 for gaussian_nll

  // Output columns this loss expects from the network.
  [[nodiscard]] Index columns() const {
    return kind == LossKind::gaussian_nll ? 2 * channels : heads * channels;
  }
};

void validate(const Loss& loss, Index network_outputs);

// A target that is zero everywhere has no relative error: throws, and the caller names the sample.
// `gradient` ([points][columns]) may be null.
template <class T>
double sample_loss(const Loss& loss, const T* outputs, const T* targets, Index points, T* gradient);

// log(1 + e^x) and its derivative, without overflow.
double softplus(double x);
double softplus_derivative(double x);

}  // namespace nouq
