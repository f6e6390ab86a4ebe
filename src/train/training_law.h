// The conservation law of the training data, as the projection inside training needs it.
//
// Why here: networks see scaled channels, the law is about the data's own units, and its values belong to
// samples. With u = mean + deviation y, g.u = b reads (g deviation).y = b - g.mean: the projection does not
// depend on the units, so rows and values are rewritten once and the loss need not know.
// Contract: rows in the units of the data; the values of a sample are those of `names` among the data's
// constraint values, one after another, one per row.
#pragma once

#include <string>
#include <vector>

#include "data/normalisation.h"
#include "nn/row_projection.h"

namespace nouq {

struct TrainingLaw {
  FieldRows rows;
  std::vector<std::string> names;
};

// Throws, beginning with `name`, unless the data have finite values for every row.
void validate(const TrainingLaw& law, const DataSet& data, const std::string& name);

// The rows for fields as the networks see them.
FieldRows scaled_rows(const TrainingLaw& law, const Normalisation& outputs);
// [samples, rows], for those rows.
Array<double> scaled_values(const TrainingLaw& law, const ScaledData& data);

// Of the rows and of the values in both sets: what a result depends on.
std::string law_fingerprint(const TrainingLaw& law, const DataSet& train, const DataSet& validation);

}  // namespace nouq
