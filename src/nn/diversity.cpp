#include "nn/diversity.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <nouq/random.h>

#include "core/error.h"
#include "core/names.h"
#include "nn/diversity_terms.h"

namespace nouq {
namespace {

// In the order of the enum.
const std::vector<std::string> kind_names = {"weights", "gradients",          "standardised_gradients",
                                             "outputs", "outputs_derivative", "standardised_outputs"};

const std::vector<std::string> all_reaches = {"heads", "trunk"};

// Sum over pairs of |w_i - w_j|^2 = l * sum of |w_i - mean|^2, for any list of l heads.
double weights_term(const HeadWeights& weights, HeadWeights& gradient) {
  const auto count = static_cast<double>(weights.cols());
  const Eigen::VectorXd mean = weights.rowwise().mean();
  const HeadWeights centred = weights.colwise() - mean;
  gradient = 2.0 * count * centred;
  return count * centred.squaredNorm();
}

template <class T>
HeadWeights gather(const Network<T>& network, const T* parameters, std::span<const Index> heads) {
  const Index features = network.options().features;
  const T* weights = parameters + network.layout().head_weight();
  HeadWeights columns(features, std::ssize(heads));
  for (Index i = 0; i < columns.cols(); ++i) {
    for (Index j = 0; j < features; ++j)
      columns(j, i) = static_cast<double>(weights[heads[i] * features + j]);
  }
  return columns;
}

template <class T>
double pair_sum(DiversityKind kind, Network<T>& network, const T* parameters, const T* inputs, Index batch,
                const HeadWeights& weights, HeadWeights& gradient) {
  if (kind == DiversityKind::weights) return weights_term(weights, gradient);
  require(inputs != nullptr && batch > 0, "diversity of {}: no inputs given", name(kind));
  const Index size = network.points() * network.options().input_channels;
  network.trunk_forward(parameters, inputs + network.own_samples(batch).begin * size, batch);
  if (kind == DiversityKind::standardised_outputs)
    return standardised_outputs_term(network, parameters, batch, weights, gradient);
  return gram_term(kind, network, parameters, batch, weights, gradient);
}

}  // namespace

std::string_view name(DiversityKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

std::vector<std::string> diversity_names() { return kind_names; }

DiversityKind diversity_from_name(std::string_view name) {
  return static_cast<DiversityKind>(index_of_name("diversity", name, kind_names));
}

std::string_view name(DiversityReach reach) { return all_reaches.at(static_cast<std::size_t>(reach)); }

std::vector<std::string> reach_names() { return all_reaches; }

DiversityReach reach_from_name(std::string_view name) {
  return static_cast<DiversityReach>(index_of_name("diversity-through", name, all_reaches));
}

bool needs_unlabelled_inputs(DiversityKind kind) {
  return kind == DiversityKind::outputs || kind == DiversityKind::outputs_derivative ||
         kind == DiversityKind::standardised_outputs;
}

void validate(const Diversity& d, const NetworkOptions& network, Index heads) {
  require(d.strength >= 0.0 && d.strength <= 1e12, "diversity strength lambda = {}: expected 0 or more",
          d.strength);
  require(d.bound >= 0.0 && d.bound <= 1e12, "diversity bound = {}: expected 0 (none) or more", d.bound);
  require(d.warmup >= 0, "diversity warm-up = {} epochs: expected 0 or more", d.warmup);
  require(d.sampled == 0 || d.sampled >= 2, "diversity over {} sampled heads: expected 0 (all) or at least 2",
          d.sampled);
  if (d.strength == 0.0) return;
  require(heads >= 2, "diversity needs at least 2 heads, the network has {}", heads);
  require(!network.head_bias, "diversity needs heads without bias");
}

std::vector<Index> drawn_heads(const Diversity& d, Index heads, std::uint64_t seed, std::uint64_t step) {
  std::vector<Index> drawn(d.sampled == 0 ? heads : d.sampled);
  std::iota(drawn.begin(), drawn.end(), 0);
  if (d.sampled == 0) return drawn;
  const Stream stream(seed, Purpose::heads, step);
  for (std::size_t i = 0; i < drawn.size(); ++i)
    drawn[i] = static_cast<Index>(stream.below(static_cast<std::uint64_t>(heads), i));
  return drawn;
}

Saturation saturate(double r, double bound) {
  if (bound <= 0.0) return {r, 1.0};
  const double share = bound / (bound + r);
  return {r * share, share * share};
}

template <class T>
double diversity(DiversityKind kind, Network<T>& network, const T* parameters, const T* inputs, Index batch,
                 std::span<const Index> heads, std::span<double> gradient) {
  const Index features = network.options().features;
  const HeadWeights weights = gather(network, parameters, heads);
  HeadWeights columns = HeadWeights::Zero(weights.rows(), weights.cols());
  const double pairs = static_cast<double>(heads.size()) * static_cast<double>(heads.size() - 1) / 2.0;
  const double sum = pair_sum(kind, network, parameters, inputs, batch, weights, columns);
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (Index i = 0; i < columns.cols(); ++i) {
    double* row = gradient.data() + heads[i] * features;
    for (Index j = 0; j < features; ++j) row[j] += columns(j, i) / pairs;
  }
  return sum / pairs;
}

template <class T>
double diversity_of_all(DiversityKind kind, Network<T>& network, const T* parameters, const T* inputs,
                        Index batch, Index at_once, std::span<const Index> heads, std::span<T> gradient) {
  require(kind != DiversityKind::weights, "the diversity of weights does not depend on the trunk");
  require(inputs != nullptr && batch > 0 && at_once > 0, "diversity of {}: no inputs given", name(kind));
  const Index features = network.options().features;
  const HeadWeights weights = gather(network, parameters, heads);
  HeadWeights columns = HeadWeights::Zero(weights.rows(), weights.cols());
  const double pairs = static_cast<double>(heads.size()) * static_cast<double>(heads.size() - 1) / 2.0;
  const double sum =
      trunk_term(kind, network, parameters, {inputs, batch, at_once}, weights, gradient.data(), columns);
  for (T& value : gradient) value = static_cast<T>(static_cast<double>(value) / pairs);
  std::vector<double> by_heads(network.options().outputs * features);
  for (Index i = 0; i < columns.cols(); ++i) {
    for (Index j = 0; j < features; ++j) by_heads[heads[i] * features + j] += columns(j, i) / pairs;
  }
  std::transform(by_heads.begin(), by_heads.end(), gradient.begin() + network.layout().head_weight(),
                 [](double value) { return static_cast<T>(value); });
  return sum / pairs;
}

template double diversity_of_all(DiversityKind, Network<float>&, const float*, const float*, Index, Index,
                                 std::span<const Index>, std::span<float>);
template double diversity_of_all(DiversityKind, Network<double>&, const double*, const double*, Index, Index,
                                 std::span<const Index>, std::span<double>);
template double diversity(DiversityKind, Network<float>&, const float*, const float*, Index,
                          std::span<const Index>, std::span<double>);
template double diversity(DiversityKind, Network<double>&, const double*, const double*, Index,
                          std::span<const Index>, std::span<double>);

}  // namespace nouq
