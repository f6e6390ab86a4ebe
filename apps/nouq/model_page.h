// The report of one model: how good it is, what its predictions look like, and when to trust it.
//
// When: `nouq report` and the demo. Contract: everything shown is computed from the model and the test
// sets given; sections without a subject (no law, no trust calibration, no time axis) are left out.
#pragma once

#include <nouq/project.h>

#include "evaluation_table.h"
#include "plot/page.h"
#include "plot/prediction_figure.h"

namespace nouq::cli {

struct ModelPageOptions {
  std::string title = "Model report";
  std::string projection = "bounded";  // shown beside the plain prediction, where there is a law
  int threads = 0;
};

plot::Page model_page(const Model& model, const std::vector<TestSet>& sets, const ModelPageOptions& options);

// ---- Its figures (model_figures.cpp) ----

// A test set with its predictions, and the one sample of it that is drawn: the one with the median error.
struct ShownSet {
  std::string label;
  const DataSet* data = nullptr;
  std::string projection;  // "none": there is no `after`
  Prediction before, after;
  std::vector<double> truth;  // of all samples
  Index sample = 0;
  Index size = 0;  // values of one field
};

ShownSet show(const Model& model, const TestSet& set, const std::string& projection, int threads);

plot::Figure solution_figure(const Model& model, const ShownSet& set);
plot::Figure error_figure(const Model& model, const ShownSet& set);
plot::Figure mass_figure(const std::vector<ShownSet>& sets);
plot::Figure trust_figure(const Model& model, const std::vector<ShownSet>& sets);
plot::Table trust_reasons(const Model& model, const std::vector<ShownSet>& sets);
plot::Figure training_figure(const Model& model);

}  // namespace nouq::cli
