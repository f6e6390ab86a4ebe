// What the curves of training and validation loss say about a training (nouq/progress.h).
//
// Why one rule: overfitting and stopping too early look alike to whoever sees the error alone, and what helps
// against the one makes the other worse. Overfitting goes first: a network that fits the training samples
// much better than others learns little from more epochs. The rule is one of ratios,
// so it says nothing about a likelihood, which may be negative.
#pragma once

#include <nouq/progress.h>

#include "uq/surrogate.h"

namespace nouq {

struct LearningCurves {
  Learning learning = Learning::fine;
  double training_loss = 0;    // mean over the last tenth of the epochs
  double validation_loss = 0;  // likewise
};

// history: [epochs, 3], training loss, validation loss, rate.
LearningCurves judge_learning(const Array<double>& history);
// Of its first network; all is fine where it has no history.
LearningCurves judge_learning(const Surrogate& surrogate);

}  // namespace nouq
