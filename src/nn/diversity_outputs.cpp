// Outputs standardised over the samples at every point: the one term that couples the samples of a batch, so
// all outputs are computed first and the features a second time for the gradient.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "nn/diversity_terms.h"

namespace nouq {
namespace {

using Matrix = Eigen::MatrixXd;

// One head: [points][samples] at mean 0 and deviation 1 over the samples; returns the deviations. Where a
// head's output is the same for all samples there is nothing to standardise: zero.
Eigen::VectorXd standardise(Matrix& fields) {
  fields.colwise() -= fields.rowwise().mean().eval();
  Eigen::VectorXd deviation =
      (fields.rowwise().squaredNorm() / static_cast<double>(fields.cols() - 1)).cwiseSqrt();
  for (Index p = 0; p < fields.rows(); ++p) {
    if (deviation(p) > 0.0) fields.row(p) /= deviation(p);
  }
  return deviation;
}

// Sum over pairs of heads and over samples of |s_a - s_b|; the gradient by s into `by`.
double pair_distances(const std::vector<Matrix>& s, std::vector<Matrix>& by) {
  double sum = 0;
  for (std::size_t a = 0; a < s.size(); ++a) {
    for (std::size_t b = a + 1; b < s.size(); ++b) {
      for (Index sample = 0; sample < s[a].cols(); ++sample) {
        const Eigen::VectorXd direction = s[a].col(sample) - s[b].col(sample);
        const double norm = direction.norm();
        if (norm == 0.0) continue;
        sum += norm;
        by[a].col(sample) += direction / norm;
        by[b].col(sample) -= direction / norm;
      }
    }
  }
  return sum;
}

// From the gradient by the standardised values to that by the values themselves.
void through_standardisation(const Matrix& s, const Eigen::VectorXd& deviation, Matrix& by) {
  const auto degrees = static_cast<double>(s.cols() - 1);
  for (Index p = 0; p < s.rows(); ++p) {
    const double along = by.row(p).dot(s.row(p)) / degrees;
    const double mean = by.row(p).mean();
    const Eigen::RowVectorXd changed = (by.row(p).array() - mean - along * s.row(p).array()).matrix();
    by.row(p) =
        deviation(p) > 0.0 ? Eigen::RowVectorXd(changed / deviation(p)) : Eigen::RowVectorXd::Zero(s.cols());
  }
}

}  // namespace

double standardised_distances(std::vector<Matrix>& fields) {
  std::vector<Eigen::VectorXd> deviation;
  deviation.reserve(fields.size());
  for (Matrix& one : fields) deviation.push_back(standardise(one));
  std::vector<Matrix> by(fields.size(), Matrix::Zero(fields.front().rows(), fields.front().cols()));
  const double sum = pair_distances(fields, by);
  for (std::size_t m = 0; m < fields.size(); ++m) {
    through_standardisation(fields[m], deviation[m], by[m]);
    fields[m] = std::move(by[m]);
  }
  return sum;
}

template <class T>
double standardised_outputs_term(Network<T>& network, const T* parameters, Index batch,
                                 const HeadWeights& weights, HeadWeights& gradient) {
  require(batch >= 2, "diversity of standardised outputs needs at least 2 samples, got {}", batch);
  const std::size_t heads = weights.cols();
  std::vector<Matrix> s(heads, Matrix(network.points(), batch));
  const IndexRange own = network.own_samples(batch);
  for (Index sample = own.begin; sample < own.end; ++sample) {
    const Matrix outputs = sample_features(network, parameters, sample - own.begin) * weights;
    for (std::size_t m = 0; m < heads; ++m) s[m].col(sample) = outputs.col(m);
  }
  for (Matrix& fields : s) gather_rows(network.group(), batch, network.points(), fields.data());
  const double spacing = 1.0 / static_cast<double>(std::max<Index>(1, network.grid()[0] - 1));
  const double sum = spacing * standardised_distances(s);
  SampleSums sums(network.group(), batch, 1, weights);
  for (Index sample = own.begin; sample < own.end; ++sample) {
    const Matrix z = sample_features(network, parameters, sample - own.begin);
    HeadWeights by(gradient.rows(), gradient.cols());
    for (std::size_t m = 0; m < heads; ++m) by.col(m) = spacing * (z.transpose() * s[m].col(sample));
    sums.put(sample, 0, 0.0, by);
  }
  sums.add_to(gradient);
  return sum;
}

template double standardised_outputs_term(Network<float>&, const float*, Index, const HeadWeights&,
                                          HeadWeights&);
template double standardised_outputs_term(Network<double>&, const double*, Index, const HeadWeights&,
                                          HeadWeights&);

}  // namespace nouq
