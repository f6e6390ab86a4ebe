// The diversity terms as functions of all parameters: how each moves with the features and with the heads,
// and from the features back through the network.
//
// Why not by Z'Z as for the heads alone: with respect to the features of a sample every term's gradient is a
// matrix of low rank, made of the heads' fields Z w, so fields are what is computed here.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "nn/diversity_terms.h"

namespace nouq {
namespace {

using Matrix = Eigen::MatrixXd;

// What one sample adds: to the sum over pairs, and its gradients.
struct SampleTerm {
  double value = 0;
  Matrix by_features;  // [points][features]
  HeadWeights by_weights;
};

SampleTerm from_outputs(const Matrix& z, const HeadWeights& weights, double value, const Matrix& by_outputs) {
  return {value, by_outputs * weights.transpose(), z.transpose() * by_outputs};
}

// Pair distances of the columns, each at norm 1; the gradient by the columns is added to `by`.
double unit_distances(const Matrix& fields, double scale, Matrix& by) {
  const Eigen::RowVectorXd norms = fields.colwise().norm();
  require(norms.minCoeff() > 0.0, "diversity of outputs: a head's field is zero everywhere");
  const Matrix unit = fields.array().rowwise() / norms.array();
  Matrix by_unit = Matrix::Zero(unit.rows(), unit.cols());
  const double sum = pair_norms(unit, unit, scale, by_unit);
  for (Index i = 0; i < unit.cols(); ++i)
    by.col(i) += (by_unit.col(i) - unit.col(i).dot(by_unit.col(i)) * unit.col(i)) / norms(i);
  return sum;
}

SampleTerm outputs_sample(const Matrix& z, const HeadWeights& weights, Index first_axis, bool derivative) {
  const double spacing = 1.0 / static_cast<double>(std::max<Index>(1, first_axis - 1));
  const Matrix fields = z * weights;
  Matrix by = Matrix::Zero(fields.rows(), fields.cols());
  double value = unit_distances(fields, spacing, by);
  if (derivative) {
    Matrix by_difference = Matrix::Zero(fields.rows(), fields.cols());
    value += unit_distances(difference(fields, first_axis), spacing, by_difference);
    by += difference_adjoint(by_difference, first_axis);
  }
  return from_outputs(z, weights, value, by);
}

// V = scale Z'Z W:  dV = scale (dZ' U + Z' dU)  with U = Z W.
SampleTerm gradients_sample(const Matrix& z, const HeadWeights& weights, double scale, double mean) {
  const Matrix fields = z * weights;
  const Matrix v = scale * (z.transpose() * fields);
  Matrix by_v = Matrix::Zero(v.rows(), v.cols());
  const double value = pair_norms(v, v, mean, by_v);
  by_v *= scale;
  const Matrix by_fields = z * by_v;
  SampleTerm term = from_outputs(z, weights, value, by_fields);
  term.by_features += fields * by_v.transpose();
  return term;
}

SampleTerm standardised_gradients_sample(const Matrix& z, const HeadWeights& weights, double mean) {
  const auto degrees = static_cast<double>(z.rows() - 1);
  Matrix s = z.rowwise() - z.colwise().mean();
  const Eigen::RowVectorXd deviation = (s.colwise().squaredNorm() / degrees).cwiseSqrt();
  for (Index j = 0; j < s.cols(); ++j) {
    if (deviation(j) > 0.0) s.col(j) /= deviation(j);
  }
  SampleTerm term = gradients_sample(s, weights, 1.0 / degrees, mean);
  for (Index j = 0; j < s.cols(); ++j) {
    auto by = term.by_features.col(j);
    const double along = by.dot(s.col(j)) / degrees, shift = by.mean();
    if (deviation(j) > 0.0) {
      by = ((by.array() - shift - along * s.col(j).array()) / deviation(j)).matrix().eval();
    } else {
      by.setZero();
    }
  }
  return term;
}

template <class T>
class ThroughTrunk {
 public:
  ThroughTrunk(DiversityKind kind, Network<T>& network, const T* parameters, const HeadWeights& weights,
               const TrunkSamples<T>& samples)
      : kind_(kind), network_(network), parameters_(parameters), weights_(weights), samples_(samples) {}

  // The sum over pairs; its gradients by the trunk into `gradient`, by the heads into `by_weights`.
  double run(T* gradient, HeadWeights& by_weights) {
    if (kind_ == DiversityKind::standardised_outputs) prepare_outputs();
    const Index size = network_.layout().size();
    std::fill_n(gradient, size, T(0));
    part_.resize(size);
    part_.fill(T(0));
    double sum = coupled_;
    for (Index first = 0; first < samples_.count; first += samples_.at_once)
      sum += run_part(first, std::min(samples_.at_once, samples_.count - first), gradient, by_weights);
    return sum;
  }

 private:
  using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  // Of this rank's samples among `count` from `first` on.
  const T* inputs(Index first, Index count) const {
    return samples_.inputs + (first + network_.own_samples(count).begin) * network_.points() *
                                 network_.options().input_channels;
  }

  // The one kind that couples the samples: the gradient by all outputs, from a pass over all samples.
  void prepare_outputs() {
    require(samples_.count >= 2, "diversity of standardised outputs needs at least 2 samples, got {}",
            samples_.count);
    by_outputs_.assign(weights_.cols(), Matrix(network_.points(), samples_.count));
    for (Index first = 0; first < samples_.count; first += samples_.at_once) {
      const Index count = std::min(samples_.at_once, samples_.count - first);
      network_.trunk_forward(parameters_, inputs(first, count), count);
      const IndexRange own = network_.own_samples(count);
      for (Index i = 0; i < own.size(); ++i) {
        const Matrix outputs = sample_features(network_, parameters_, i) * weights_;
        for (Index m = 0; m < weights_.cols(); ++m)
          by_outputs_[m].col(first + own.begin + i) = outputs.col(m);
      }
      for (Matrix& fields : by_outputs_)
        gather_rows(network_.group(), count, network_.points(), fields.data() + first * network_.points());
    }
    const double spacing = 1.0 / static_cast<double>(std::max<Index>(1, network_.grid()[0] - 1));
    coupled_ = spacing * standardised_distances(by_outputs_);
    for (Matrix& by : by_outputs_) by *= spacing;
  }

  SampleTerm term(Index sample, const Matrix& z) const {
    const double mean = 1.0 / static_cast<double>(samples_.count);
    switch (kind_) {
      case DiversityKind::gradients:
        return gradients_sample(z, weights_, 1.0, mean);
      case DiversityKind::standardised_gradients:
        return standardised_gradients_sample(z, weights_, mean);
      case DiversityKind::standardised_outputs: {
        Matrix by(z.rows(), weights_.cols());
        for (Index m = 0; m < weights_.cols(); ++m) by.col(m) = by_outputs_[m].col(sample);
        return from_outputs(z, weights_, 0, by);
      }
      default:
        return outputs_sample(z, weights_, network_.grid()[0], kind_ == DiversityKind::outputs_derivative);
    }
  }

  // What samples add is kept apart and added up in their order.
  double run_part(Index first, Index count, T* gradient, HeadWeights& by_weights) {
    const IndexRange samples = network_.own_samples(count);
    terms_.resize(samples.size());
    const Index points = network_.points(), features = network_.options().features;
    network_.feature_gradient(
        parameters_, inputs(first, count), count,
        [&](Index i, const T* z, T* by) {
          SampleTerm& own = terms_[i];
          own = term(first + samples.begin + i,
                     Eigen::Map<const RowMajor>(z, points, features).template cast<double>());
          Eigen::Map<RowMajor>(by, points, features) = own.by_features.template cast<T>();
          own.by_features.resize(0, 0);
        },
        part_.data());
    SampleSums sums(network_.group(), count, 1, weights_);
    for (Index i = 0; i < samples.size(); ++i)
      sums.put(samples.begin + i, 0, terms_[i].value, terms_[i].by_weights);
    const double sum = sums.add_to(by_weights);
    for (Index i = 0; i < std::ssize(part_); ++i) gradient[i] += part_[i];
    return sum;
  }

  DiversityKind kind_;
  Network<T>& network_;
  const T* parameters_;
  const HeadWeights& weights_;
  TrunkSamples<T> samples_;
  std::vector<Matrix> by_outputs_;
  double coupled_ = 0;
  std::vector<SampleTerm> terms_;
  Buffer<T> part_;
};

}  // namespace

template <class T>
double trunk_term(DiversityKind kind, Network<T>& network, const T* parameters,
                  const TrunkSamples<T>& samples, const HeadWeights& weights, T* gradient,
                  HeadWeights& by_weights) {
  return ThroughTrunk<T>(kind, network, parameters, weights, samples).run(gradient, by_weights);
}

template double trunk_term(DiversityKind, Network<float>&, const float*, const TrunkSamples<float>&,
                           const HeadWeights&, float*, HeadWeights&);
template double trunk_term(DiversityKind, Network<double>&, const double*, const TrunkSamples<double>&,
                           const HeadWeights&, double*, HeadWeights&);

}  // namespace nouq
