// Importing is public (nouq/import.h).
#pragma once

#include <nouq/import.h>

#include "data/data_set.h"
#include "problems/problem.h"

namespace nouq {

DataSet import_runs(const ImportOptions& options, ImportReport& report);

}  // namespace nouq
