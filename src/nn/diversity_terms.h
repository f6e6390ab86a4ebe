// The diversity terms that look at features (see diversity.h), as sums over pairs of heads.
//
// Contract: the network's trunk holds the samples (trunk_forward), of `batch` on all ranks this rank's;
// `weights` has one column per head of the list, a head may appear twice; `gradient`, of the same shape and
// zero on entry, receives the sum's gradient.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "nn/diversity.h"

namespace nouq {

using HeadWeights = Eigen::MatrixXd;  // [features][heads of the list]

// What every sample of a batch adds to a sum and to its gradient by the heads, kept apart: added up in the
// order of the samples, whichever rank has them.
class SampleSums {
 public:
  SampleSums(Group& group, Index batch, Index terms, const HeadWeights& weights)
      : group_(group),
        batch_(batch),
        terms_(terms),
        size_(weights.size() + 1),
        rows_(batch * terms * size_) {}

  // Of this rank's samples; `sample` counts in the whole batch.
  void put(Index sample, Index term, double value, const HeadWeights& gradient);
  // Adds the gradients, and returns the sum of the values.
  double add_to(HeadWeights& gradient);

 private:
  Group& group_;
  Index batch_, terms_, size_;
  std::vector<double> rows_;
};

// gradients, standardised_gradients, outputs, outputs_derivative
template <class T>
double gram_term(DiversityKind kind, Network<T>& network, const T* parameters, Index batch,
                 const HeadWeights& weights, HeadWeights& gradient);

template <class T>
double standardised_outputs_term(Network<T>& network, const T* parameters, Index batch,
                                 const HeadWeights& weights, HeadWeights& gradient);

// The samples that a kind looks at ([count][axes...][channels]), and how many go through the network at once.
template <class T>
struct TrunkSamples {
  const T* inputs;
  Index count;
  Index at_once;
};

// The same terms as functions of all parameters: `gradient` ([parameters], overwritten) receives the sum's
// gradient by all but the heads, `by_weights` that by them. Needs nothing in the trunk.
template <class T>
double trunk_term(DiversityKind kind, Network<T>& network, const T* parameters,
                  const TrunkSamples<T>& samples, const HeadWeights& weights, T* gradient,
                  HeadWeights& by_weights);

// Differences along the first axis of fields in the user's order, spacing 1; and the adjoint.
Eigen::MatrixXd difference(const Eigen::MatrixXd& z, Index first_axis);
Eigen::MatrixXd difference_adjoint(const Eigen::MatrixXd& d, Index first_axis);

// Sum over pairs of the norm |a_i - a_j| whose square is (a_i - a_j).(m_i - m_j), m = metric * a. Adds
// `scale` times its gradient by a to `gradient`. Equal columns have no gradient.
double pair_norms(const Eigen::MatrixXd& a, const Eigen::MatrixXd& m, double scale,
                  Eigen::MatrixXd& gradient);

// Heads' fields ([points][samples] each), standardised over the samples point by point: the sum over pairs of
// heads and samples of |s_a - s_b|. Their gradient takes the fields' place.
double standardised_distances(std::vector<Eigen::MatrixXd>& fields);

// Features of one sample in double: [points][features], points in the user's order.
template <class T>
Eigen::MatrixXd sample_features(Network<T>& network, const T* parameters, Index sample);

}  // namespace nouq
