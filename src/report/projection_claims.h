// What projections do to error and conservation law, over all problems: two of claims_tables (study_table.h).
#pragma once

#include "report/study_results.h"

namespace nouq::report {

Table law_table(const StudyResults& results);
Table help_table(const StudyResults& results);

}  // namespace nouq::report
