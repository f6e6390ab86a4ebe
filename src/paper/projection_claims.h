// What projections do to error and conservation law, over all problems: two of claims_tables (study_table.h).
#pragma once

#include "paper/study_results.h"

namespace nouq::paper {

Table law_table(const StudyResults& results);
Table help_table(const StudyResults& results);

}  // namespace nouq::paper
