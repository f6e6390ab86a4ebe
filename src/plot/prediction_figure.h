// Pictures of predicted fields: profiles with bands, and maps.
//
// When: `nouq predict --plot`, the demo's report, the study's figures. Contract: fields are those of one
// sample, [axes..., channels]; profile_figure, map_figure and prediction_figure show the first channel from
// where the pointers are, channels_figure shows all. Profiles and maps are for grids of one or two axes, of
// more a prediction shows the slice in the middle of the first. A missing truth or variance leaves its curve
// out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nouq/grid.h>
#include <nouq/laws.h>

#include "plot/figure.h"

namespace nouq::plot {

// One prediction of one sample, as pointers into the caller's arrays; null where there is none.
struct FieldSample {
  std::string name;  // "DiverseNO", "after projection"
  const double* mean = nullptr;
  const double* variance = nullptr;
  const double* half_width = nullptr;  // of a calibrated band, drawn instead of three standard deviations
};

// Profiles along the first axis, mean +- half width, or 3 sigma without one, at a few places of the second. A
// grid of one axis gives one panel.
Figure profile_figure(const Grid& grid, Index channels, const std::vector<FieldSample>& samples,
                      const double* truth);

// Maps over the two axes: mean, standard deviation, and with the truth also truth and error.
Figure map_figure(const Grid& grid, Index channels, const FieldSample& sample, const double* truth);

// Profiles where one axis is time or there is one axis, maps otherwise.
Figure prediction_figure(const Grid& grid, Index channels, const std::vector<FieldSample>& samples,
                         const double* truth);

// Every channel in panels of its own, labelled with its name and unit: they share no axis, because units
// differ.
Figure channels_figure(const Grid& grid, const std::vector<Channel>& channels,
                       const std::vector<FieldSample>& samples, const double* truth);

}  // namespace nouq::plot
