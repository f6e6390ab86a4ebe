// What a user may say about the network, and the network that it makes for a data set.
//
// Contract: what is left out follows from the grid of the data: 12 modes or what a padded axis holds, nine
// points of padding on axes that are not periodic. The result fits the grid; settings that do not are
// refused.
#pragma once

#include <vector>

#include "config/option_table.h"
#include "data/data_set.h"
#include "nn/fno_options.h"

namespace nouq {

struct NetworkSettings {
  Index width = FnoOptions{}.width;
  Index blocks = FnoOptions{}.blocks;
  std::vector<Index> modes;    // one for all axes, or one per axis; empty: by the grid
  std::vector<Index> padding;  // likewise, in points
  double padding_fraction = 0;
  Index features = FnoOptions{}.features;
};

void describe(OptionTable& table, NetworkSettings& settings);

FnoOptions resolve(const NetworkSettings& settings, const DataSet& data);

// 12, or as many as the padded axis can hold.
Index default_modes(const DataSet& data, std::size_t axis);

}  // namespace nouq
