// The continuous ranked probability score as a loss: of a Gaussian in closed form, and of heads as a sample.
//
// Why divide by the sum of |y|: fields of different size then count alike, as in the relative error.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "core/normal.h"
#include "nn/gaussian_scores.h"
#include "nn/loss.h"

namespace nouq {

CrpsScore crps_score(double mean, double sigma, double y) {
  const double z = (y - mean) / sigma;
  const double centred = std::erf(z / std::numbers::sqrt2);  // 2 Phi(z) - 1
  const double by_sigma = 2.0 * normal_density(z) - std::numbers::inv_sqrtpi;
  return {sigma * (z * centred + by_sigma), -centred, by_sigma};
}

template <class T>
double target_size(const T* targets, Index count) {
  double size = 0;
  for (Index i = 0; i < count; ++i) size += std::abs(static_cast<double>(targets[i]));
  require(size > 0.0, "its target is zero everywhere, so a relative error is not defined");
  return size;
}

template double target_size(const float*, Index);
template double target_size(const double*, Index);

namespace {

template <class T>
double gaussian_sum(const Loss& loss, const T* outputs, const T* targets, Index points, double factor,
                    T* gradient) {
  const Index channels = loss.channels;
  double total = 0;
  for (Index p = 0; p < points; ++p) {
    for (Index c = 0; c < channels; ++c) {
      const Index mean = p * 2 * channels + c, raw = mean + channels;
      const auto before = static_cast<double>(outputs[raw]);
      const double sigma = std::sqrt(softplus(before));
      const CrpsScore score = crps_score(static_cast<double>(outputs[mean]), sigma,
                                         static_cast<double>(targets[p * channels + c]));
      total += score.value;
      if (!gradient) continue;
      gradient[mean] = static_cast<T>(factor * score.by_mean);
      gradient[raw] = static_cast<T>(factor * score.by_sigma * softplus_derivative(before) / (2.0 * sigma));
    }
  }
  return total;
}

// The heads of one point and channel, in the order of their values; equal ones in the order of heads.
class Ranks {
 public:
  explicit Ranks(Index heads) : order_(heads) {}

  template <class T>
  const std::vector<Index>& of(const T* values, Index stride) {
    std::iota(order_.begin(), order_.end(), Index{0});
    std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
      const T left = values[a * stride], right = values[b * stride];
      return left < right || (left == right && a < b);
    });
    return order_;
  }

 private:
  std::vector<Index> order_;
};

// With x_(0) <= x_(1) <= ...: the sum over pairs of |x_i - x_j| is the sum of (2 k - M + 1) x_(k), which is
// divided by M - 1 (fair) or M, and by M.
template <class T>
double heads_score(const T* heads, const std::vector<Index>& order, Index stride, double y, double divisor,
                   double factor, T* gradient) {
  const auto count = static_cast<double>(order.size());
  double distance = 0, spread = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index at = order[k] * stride;
    const double difference = static_cast<double>(heads[at]) - y;
    const double place = (2.0 * static_cast<double>(k) - count + 1.0) / divisor;
    distance += std::abs(difference);
    spread += place * difference;  // places add up to zero: y drops out, and small numbers stay exact
    const double side = difference > 0.0 ? 1.0 : (difference < 0.0 ? -1.0 : 0.0);
    if (gradient) gradient[at] = static_cast<T>(factor * (side - place) / count);
  }
  return (distance - spread) / count;
}

template <class T>
double heads_sum(const Loss& loss, const T* outputs, const T* targets, Index points, double factor,
                 T* gradient) {
  const double divisor = static_cast<double>(loss.kind == LossKind::fair_crps ? loss.heads - 1 : loss.heads);
  const Index channels = loss.channels, columns = loss.columns();
  Ranks ranks(loss.heads);
  double total = 0;
  for (Index p = 0; p < points; ++p) {
    for (Index c = 0; c < channels; ++c) {
      const Index at = p * columns + c;
      total += heads_score(outputs + at, ranks.of(outputs + at, channels), channels,
                           static_cast<double>(targets[p * channels + c]), divisor, factor,
                           gradient ? gradient + at : nullptr);
    }
  }
  return total;
}

}  // namespace

template <class T>
double crps_loss(const Loss& loss, const T* outputs, const T* targets, Index points, T* gradient) {
  const double size = target_size(targets, points * loss.channels);
  const double total = loss.gaussian() ? gaussian_sum(loss, outputs, targets, points, 1.0 / size, gradient)
                                       : heads_sum(loss, outputs, targets, points, 1.0 / size, gradient);
  return total / size;
}

template double crps_loss(const Loss&, const float*, const float*, Index, float*);
template double crps_loss(const Loss&, const double*, const double*, Index, double*);

}  // namespace nouq
