// Which files of a folder become samples, and with which parameters.
#pragma once

#include "data/import.h"

namespace nouq {

struct PlannedRun {
  std::filesystem::path file;
  std::vector<double> parameters;
};

struct ImportPlan {
  std::vector<PlannedRun> runs;
  std::vector<Channel> parameter_names;
};

// Files and rows that have no partner are reported; a table that contradicts itself is refused.
ImportPlan plan_import(const ImportOptions& options, ImportReport& report);

}  // namespace nouq
