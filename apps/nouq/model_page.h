// The report of one model: how good it is, what its predictions look like, and when to trust it.
//
// When: `nouq report` and the demo. Contract: everything shown is computed from the surrogate and the test
// sets given; sections without a subject (no law, no trust calibration, no time axis) are left out.
#pragma once

#include "evaluation_table.h"
#include "plot/page.h"

namespace nouq::cli {

struct ModelPageOptions {
  std::string title = "Model report";
  std::string projection = "bounded";  // shown beside the plain prediction, where there is a law
  int threads = 0;
};

plot::Page model_page(const Surrogate& surrogate, const std::vector<TestSet>& sets,
                      const ModelPageOptions& options);

}  // namespace nouq::cli
