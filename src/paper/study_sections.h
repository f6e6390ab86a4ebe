// The sections of a study's page: pictures of predictions, projections and members, as the results keep them,
// and the settings behind the numbers.
//
// Contract: of every method, the result of the seed that most of them have pictures of. Methods without
// a result of it, or with none that can be drawn, are left out, and a sentence says why.
#pragma once

#include <nouq/grid.h>

#include "paper/pictures.h"
#include "paper/plot.h"
#include "paper/study_results.h"

namespace nouq::paper {

struct Pictures {
  std::vector<Block> solutions;  // predictions of all methods at every range, and after projections
  std::vector<Block> members;    // of the ensemble
};

Pictures pictures_of(const StudyResults& results, const std::string& problem);

// ---- Predictions of a study's methods beside each other, for one sample of one range ----
//
// Contract: profiles for fields in time, maps for others, as the results keep them (paper/pictures.h).

struct ShownMethod {
  std::string name;
  FieldPicture picture;
};

// One range of a problem; there is at least one method.
struct ShownRange {
  std::string problem, label;
  std::string parameter;  // its symbol; may be empty
  std::vector<ShownMethod> methods;
};

// Truth, mean and three standard deviations; or mean, error and deviation as maps.
Figure solution_figure(const ShownRange& range);
// Profiles before and after the paper's projection and the one within physical bounds; no panels when there
// is no law.
Figure projected_figure(const ShownRange& range);

// ---- In what the members of an ensemble differ: their Fourier weights, their features, their outputs ----

// Magnitude of one block's Fourier weights over frequencies of the first axis and output channels, of the
// first members, and the coefficient of variation over all members.
Figure weight_figure(const WeightPicture& picture);

// The mean over the features before the last layer, and the output, of every member along the first axis of
// `grid`, that of the fields: of one sample in domain above, of one far from it below.
Figure feature_figure(const MemberPicture& picture, const Grid& grid);

// ---- The exact settings behind the numbers, a fold-out block per problem and method ----
//
// Contract: what all seeds share is said once; where seeds differ in the chosen trial, the version or the
// machine, it is said of each.

// A sentence of links to the blocks of one problem.
std::string settings_links(const StudyResults& results, const std::string& problem);

Section settings_section(const StudyResults& results);

}  // namespace nouq::paper
