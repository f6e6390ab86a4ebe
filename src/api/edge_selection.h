// Choosing settings by what lies at the edge of the data: the rule "edge" of a selection.
//
// Why: the validation error says nothing about inputs unlike those of training, and there are no data from
// there. But the outermost samples of a data set are outside the range of the others: what predicts them
// best, mean and spread together (CRPS), is chosen, and then trained on all. Contract: the samples are a pure
// function of the data; the validation samples that lie as far out count with them, so that they do not
// choose the trials' epochs either.
#pragma once

#include <vector>

#include "uq/selection.h"

namespace nouq {

// How far out each sample lies, by what the training data have: parameters, the greatest distance from the
// middle of a column's range over half of that range; else the distance of the input from the mean input, in
// units of each channel's deviation.
std::vector<double> outwardness(const DataSet& data, const DataSet& train);

struct EdgeSplit {
  DataSet train, validation;  // without the edge
  DataSet edge;
};
// A fifth of the training samples. Throws where they are too few, or all alike.
EdgeSplit split_off_edge(const DataSet& train, const DataSet& validation);

// The trials with their CRPS at the edge, in all ways of sizing that the data allow, and the best of them.
// The surrogate is left empty: the winner is yet to be trained. nullopt: the observer asked to stop.
std::optional<Selection> select_at_edge(const SelectionPlan& plan, const DataSet& edge,
                                        FitObserver* observer);

}  // namespace nouq
