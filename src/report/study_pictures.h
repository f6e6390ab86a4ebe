// The pictures of a study's page that need trained networks: predictions, projections, members.
//
// Contract: of every method, the network of the seed that most of them have. Methods whose networks are
// not in the folder of models are left out, and a sentence names them.
#pragma once

#include "report/study_page.h"

namespace nouq::report {

struct Pictures {
  std::vector<Block> solutions;  // predictions of all methods at every range, and a projection
  std::vector<Block> members;    // of the ensemble
};

Pictures pictures_of(const StudyResults& results, const std::string& problem,
                     const StudyPageOptions& options);

}  // namespace nouq::report
