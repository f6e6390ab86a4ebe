// One step of Adam with coupled weight decay, over a flat array of parameters:
//
//   g <- gradient + decay * w;  m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2
//   w <- w - (rate / (1 - b1^t)) m / (sqrt(v) / sqrt(1 - b2^t) + epsilon)
//
// Contract: step counts from 1. Elements are independent: any split over threads gives the same bits.
#pragma once

#include <nouq/array.h>

namespace nouq {

struct AdamStep {
  double rate = 1e-3;
  double decay = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  Index step = 1;
};

template <class T>
void adam(const AdamStep& options, const T* gradient, Index count, T* weights, T* first_moment,
          T* second_moment);

}  // namespace nouq
