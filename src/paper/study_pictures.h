// The pictures of a study's page: predictions, projections, members, as the results keep them.
//
// Contract: of every method, the result of the seed that most of them have pictures of. Methods without
// a result of it, or with none that can be drawn, are left out, and a sentence says why.
#pragma once

#include "paper/plot.h"
#include "paper/study_results.h"

namespace nouq::paper {

struct Pictures {
  std::vector<Block> solutions;  // predictions of all methods at every range, and after projections
  std::vector<Block> members;    // of the ensemble
};

Pictures pictures_of(const StudyResults& results, const std::string& problem);

}  // namespace nouq::paper
