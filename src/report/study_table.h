// A problem's results of a study as the paper's table: methods by ranges, our mean and deviation over seeds,
// the paper's beside them.
#pragma once

#include <string>
#include <vector>

#include "report/table.h"
#include "study/result_store.h"
#include "study/study_options.h"

namespace nouq::report {

// Only results with the given settings count. `paper` holds the paper's figures (presets/paper-figures.json),
// or is empty. Throws when there is no result of the problem.
Table study_table(const std::vector<ResultJson>& results, const std::string& problem,
                  const StudyOptions& options, const nlohmann::ordered_json& paper);

}  // namespace nouq::report
