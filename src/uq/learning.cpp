#include "uq/learning.h"

#include <algorithm>

namespace nouq {
namespace {

constexpr double far_above = 4.0;       // validation loss over training loss
constexpr double risen = 1.5;           // validation loss at the end over its best
constexpr double still_falling = 0.05;  // share of the validation loss, over the last tenth
constexpr Index least_epochs = 10;      // fewer are no curve

double mean_of_column(const Array<double>& history, Index column, Index first) {
  double sum = 0;
  for (Index e = first; e < history.extent(0); ++e) sum += history[3 * e + column];
  return sum / static_cast<double>(history.extent(0) - first);
}

double least_validation(const Array<double>& history, Index first, Index last) {
  double least = history[3 * first + 1];
  for (Index e = first; e < last; ++e) least = std::min(least, history[3 * e + 1]);
  return least;
}

}  // namespace

LearningCurves judge_learning(const Array<double>& history) {
  if (history.rank() != 2 || history.extent(0) < 1 || history.extent(1) != 3) return {};
  const Index epochs = history.extent(0), tail = epochs - std::max<Index>(1, epochs / 10);
  LearningCurves curves{Learning::fine, mean_of_column(history, 0, tail), mean_of_column(history, 1, tail)};
  if (epochs < least_epochs) return curves;
  const double before = least_validation(history, 0, tail), after = least_validation(history, tail, epochs);
  const double best = std::min(before, after);
  const bool positive = best > 0 && curves.training_loss > 0;
  if (positive &&
      (curves.validation_loss > far_above * curves.training_loss || curves.validation_loss > risen * best))
    curves.learning = Learning::overfitting;
  else if (positive && after < (1 - still_falling) * before)
    curves.learning = Learning::unfinished;
  return curves;
}

LearningCurves judge_learning(const Surrogate& surrogate) {
  const auto first = surrogate.history.find("network.0");
  return first == surrogate.history.end() ? LearningCurves{} : judge_learning(first->second);
}

}  // namespace nouq
