// The diversity terms that look at features (see diversity.h), as sums over pairs of heads.
//
// Contract: the network's trunk holds the samples (trunk_forward); `weights` has one column per head of the
// list, a head may appear twice; `gradient`, of the same shape and zero on entry, receives the sum's
// gradient.
#pragma once

#include <Eigen/Core>

#include "nn/diversity.h"

namespace nouq {

using HeadWeights = Eigen::MatrixXd;  // [features][heads of the list]

// gradients, standardised_gradients, outputs, outputs_derivative
template <class T>
double gram_term(DiversityKind kind, Network<T>& network, const T* parameters, Index batch,
                 const HeadWeights& weights, HeadWeights& gradient);

template <class T>
double standardised_outputs_term(Network<T>& network, const T* parameters, Index batch,
                                 const HeadWeights& weights, HeadWeights& gradient);

// Features of one sample in double: [points][features], points in the user's order.
template <class T>
Eigen::MatrixXd sample_features(Network<T>& network, const T* parameters, Index sample);

}  // namespace nouq
