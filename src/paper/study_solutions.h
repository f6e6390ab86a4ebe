// Predictions of a study's methods beside each other, for one sample of one range.
//
// Contract: profiles for fields in time, maps for others, as the results keep them (study/field_picture.h).
#pragma once

#include "paper/field_picture.h"
#include "paper/plot.h"

namespace nouq::paper {

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

}  // namespace nouq::paper
