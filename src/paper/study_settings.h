// The exact settings behind the numbers of a study's page, a fold-out block per problem and method.
//
// Contract: what all seeds share is said once; where seeds differ in the chosen trial, the version or the
// machine, it is said of each.
#pragma once

#include "paper/plot.h"
#include "paper/study_results.h"

namespace nouq::paper {

// A sentence of links to the blocks of one problem.
std::string settings_links(const StudyResults& results, const std::string& problem);

Section settings_section(const StudyResults& results);

}  // namespace nouq::paper
