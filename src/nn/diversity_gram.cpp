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

void SampleSums::put(Index sample, Index term, double value, const HeadWeights& gradient) {
  double* row = rows_.data() + (sample * terms_ + term) * size_;
  *row = value;
  std::copy_n(gradient.data(), gradient.size(), row + 1);
}

double SampleSums::add_to(HeadWeights& gradient) {
  gather_rows(group_, batch_, terms_ * size_, rows_.data());
  double sum = 0;
  for (auto row = rows_.cbegin(); row != rows_.cend(); row += size_) {
    sum += *row;
    for (Index i = 0; i < gradient.size(); ++i) gradient.data()[i] += row[1 + i];
  }
  return sum;
}

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
  const bool derivative = kind == DiversityKind::outputs_derivative;
  SampleSums sums(network.group(), batch, derivative ? 2 : 1, weights);
  const IndexRange own = network.own_samples(batch);
  for (Index sample = own.begin; sample < own.end; ++sample) {
    const Matrix z = sample_features(network, parameters, sample - own.begin);
    const auto put = [&](Index term, auto&& function, const Matrix& c, double scale) {
      HeadWeights by = HeadWeights::Zero(gradient.rows(), gradient.cols());
      const double value = function(c, scale, weights, by);
      sums.put(sample, term, value, by);
    };
    if (kind == DiversityKind::gradients) {
      put(0, gradients_term, gram(z), mean);
    } else if (kind == DiversityKind::standardised_gradients) {
      put(0, gradients_term, standardised_gram(z), mean);
    } else {
      put(0, outputs_term, gram(z), spacing);
      if (derivative) put(1, outputs_term, gram(difference(z, first_axis)), spacing);
    }
  }
  return sums.add_to(gradient);
}

template Matrix sample_features(Network<float>&, const float*, Index);
template Matrix sample_features(Network<double>&, const double*, Index);
template double gram_term(DiversityKind, Network<float>&, const float*, Index, const HeadWeights&,
                          HeadWeights&);
template double gram_term(DiversityKind, Network<double>&, const double*, Index, const HeadWeights&,
                          HeadWeights&);

}  // namespace nouq
