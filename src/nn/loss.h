// What training minimises, for one sample: the value and its gradient with respect to the network's outputs.
//
// Contract: outputs are [points][columns], targets [points][channels]. Sums run in double. A loss over a
// batch is the sum of its samples' losses, as in the released code.
//   relative_l2          |u - y| / |y| over the whole field; with several heads the mean over the heads, each
//   against y.
//                        Columns: head 0's channels, head 1's, ...
//   relative_l2_squared  the same with squared norms, the paper's formula
//   gaussian_nll         sum of (mu - y)^2 / v + log v, v = softplus(raw). Columns: all mu, then all raw.
//   gaussian_crps        continuous ranked probability score of N(mu, v) at y, summed and divided by the sum
//                        of |y|. Columns as for gaussian_nll. In closed form (Gneiting and Raftery, 2007):
//                        sigma (z (2 Phi(z) - 1) + 2 phi(z) - 1 / sqrt(pi)), z = (y - mu) / sigma
//   heads_crps           the same score of the distribution that gives every head the weight 1 / M:
//                        mean |x_i - y| - sum over pairs |x_i - x_j| / M^2, summed over the field and divided
//                        by the sum of |y|. Heads are no random draws: each learns a quantile. Columns as for
//                        relative_l2
//   fair_crps            with M (M - 1) for M^2, the score that random draws have without bias (Ferro, 2014).
//                        As a loss it leaves the outermost heads free: none of the terms holds them
#pragma once

#include <string_view>

#include <nouq/array.h>

namespace nouq {

enum class LossKind { relative_l2, relative_l2_squared, gaussian_nll, gaussian_crps, heads_crps, fair_crps };

std::string_view name(LossKind kind);
// What a user calls it: "nll" and "crps" whatever they score; the fair one by its name.
std::string_view label(LossKind kind);

struct Loss {
  LossKind kind = LossKind::relative_l2;
  Index channels = 1;
  Index heads = 1;  // 1 for those of a Gaussian

  // Whether the network gives a mean and a variance.
  [[nodiscard]] bool gaussian() const {
    return kind == LossKind::gaussian_nll || kind == LossKind::gaussian_crps;
  }
  // Output columns this loss expects from the network.
  [[nodiscard]] Index columns() const { return gaussian() ? 2 * channels : heads * channels; }
};

void validate(const Loss& loss, Index network_outputs);

// A target that is zero everywhere has no relative error: throws, and the caller names the sample.
// `gradient` ([points][columns]) may be null.
template <class T>
double sample_loss(const Loss& loss, const T* outputs, const T* targets, Index points, T* gradient);

// The two scores of a distribution (crps_loss.cpp).
template <class T>
double crps_loss(const Loss& loss, const T* outputs, const T* targets, Index points, T* gradient);

// log(1 + e^x) and its derivative, without overflow.
double softplus(double x);
double softplus_derivative(double x);

}  // namespace nouq
