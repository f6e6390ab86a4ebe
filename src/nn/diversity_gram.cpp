#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "nn/diversity_terms.h"

namespace nouq {
namespace {

using Matrix = Eigen::MatrixXd;

// Between which points along the first axis a difference is taken: central inside, one-sided at the ends.
struct Ends {
  Ends(Index x, Index count) : left(x > 0 ? x - 1 : x), right(x + 1 < count ? x + 1 : x) {}
  [[nodiscard]] double distance() const { return static_cast<double>(std::max<Index>(1, right - left)); }
  Index left, right;
};

Matrix gram(const Matrix& z) {
  Matrix c = Matrix::Zero(z.cols(), z.cols());
  c.selfadjointView<Eigen::Lower>().rankUpdate(z.transpose());
  return c.selfadjointView<Eigen::Lower>();
}

// A feature that is the same everywhere has no direction; it counts as zero.
Matrix standardised_gram(Matrix z) {
  const auto degrees = static_cast<double>(z.rows() - 1);
  z.rowwise() -= z.colwise().mean().eval();
  for (Index j = 0; j < z.cols(); ++j) {
    const double deviation = std::sqrt(z.col(j).squaredNorm() / degrees);
    if (deviation > 0.0) z.col(j) /= deviation;
  }
  return gram(z) / degrees;
}

double gradients_term(const Matrix& c, double scale, const HeadWeights& weights, HeadWeights& gradient) {
  const Matrix v = c * weights;
  Matrix by_v = Matrix::Zero(v.rows(), v.cols());
  const double sum = pair_norms(v, v, scale, by_v);
  gradient += c * by_v;
  return sum;
}

// Fields at norm 1, where the norm is |o|^2 = w' c w.
double outputs_term(const Matrix& c, double scale, const HeadWeights& weights, HeadWeights& gradient) {
  const Matrix cw = c * weights;
  const Eigen::RowVectorXd norms = weights.cwiseProduct(cw).colwise().sum().cwiseSqrt();
  require(norms.minCoeff() > 0.0, "diversity of outputs: a head's field is zero everywhere");
  const Matrix unit = weights.array().rowwise() / norms.array();
  const Matrix c_unit = cw.array().rowwise() / norms.array();
  Matrix by_unit = Matrix::Zero(unit.rows(), unit.cols());
  const double sum = pair_norms(unit, c_unit, scale, by_unit);
  for (Index i = 0; i < unit.cols(); ++i)
    gradient.col(i) += (by_unit.col(i) - unit.col(i).dot(by_unit.col(i)) * c_unit.col(i)) / norms(i);
  return sum;
}

}  // namespace

Matrix difference(const Matrix& z, Index first_axis) {
  const Index inner = z.rows() / first_axis;
  Matrix d(z.rows(), z.cols());
  for (Index x = 0; x < first_axis; ++x) {
    const Ends ends(x, first_axis);
    d.middleRows(x * inner, inner) =
        (z.middleRows(ends.right * inner, inner) - z.middleRows(ends.left * inner, inner)) / ends.distance();
  }
  return d;
}

Matrix difference_adjoint(const Matrix& d, Index first_axis) {
  const Index inner = d.rows() / first_axis;
  Matrix z = Matrix::Zero(d.rows(), d.cols());
  for (Index x = 0; x < first_axis; ++x) {
    const Ends ends(x, first_axis);
    const Matrix share = d.middleRows(x * inner, inner) / ends.distance();
    z.middleRows(ends.right * inner, inner) += share;
    z.middleRows(ends.left * inner, inner) -= share;
  }
  return z;
}

double pair_norms(const Matrix& a, const Matrix& m, double scale, Matrix& gradient) {
  double sum = 0;
  for (Index i = 0; i < a.cols(); ++i) {
    for (Index j = i + 1; j < a.cols(); ++j) {
      const Eigen::VectorXd direction = m.col(i) - m.col(j);
      const double norm = std::sqrt(std::max(0.0, (a.col(i) - a.col(j)).dot(direction)));
      if (norm == 0.0) continue;
      sum += scale * norm;
      gradient.col(i) += scale / norm * direction;
      gradient.col(j) -= scale / norm * direction;
    }
  }
  return sum;
}

template <class T>
Matrix sample_features(Network<T>& network, const T* parameters, Index sample) {
  using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor z(network.points(), network.options().features);
  network.features(parameters, sample, z.data());
  return z.template cast<double>();
}

template <class T>
double gram_term(DiversityKind kind, Network<T>& network, const T* parameters, Index batch,
                 const HeadWeights& weights, HeadWeights& gradient) {
  const Index first_axis = network.grid()[0];
  const double mean = 1.0 / static_cast<double>(batch);
  const double spacing = 1.0 / static_cast<double>(std::max<Index>(1, first_axis - 1));
  double sum = 0;
  for (Index sample = 0; sample < batch; ++sample) {
    const Matrix z = sample_features(network, parameters, sample);
    if (kind == DiversityKind::gradients) {
      sum += gradients_term(gram(z), mean, weights, gradient);
    } else if (kind == DiversityKind::standardised_gradients) {
      sum += gradients_term(standardised_gram(z), mean, weights, gradient);
    } else {
      sum += outputs_term(gram(z), spacing, weights, gradient);
      if (kind == DiversityKind::outputs_derivative)
        sum += outputs_term(gram(difference(z, first_axis)), spacing, weights, gradient);
    }
  }
  return sum;
}

template Matrix sample_features(Network<float>&, const float*, Index);
template Matrix sample_features(Network<double>&, const double*, Index);
template double gram_term(DiversityKind, Network<float>&, const float*, Index, const HeadWeights&,
                          HeadWeights&);
template double gram_term(DiversityKind, Network<double>&, const double*, Index, const HeadWeights&,
                          HeadWeights&);

}  // namespace nouq
