// What a user may say about the network, and the network that it makes for a data set.
//
// Contract: what is left out follows from the grid of the data: 12 modes or what a padded axis holds, nine
// points of padding on axes that are not periodic. The result fits the grid; settings that do not are
// refused.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nouq/data.h>

#include "config/option_table.h"
#include "nn/network_options.h"

namespace nouq {

struct NetworkSettings {
  std::string architecture = NetworkOptions{}.architecture;
  Index width = NetworkOptions{}.width;
  Index blocks = NetworkOptions{}.blocks;
  std::vector<Index> modes;    // one for all axes, or one per axis; empty: by the grid
  std::vector<Index> padding;  // likewise, in points
  double padding_fraction = 0;
  Index features = NetworkOptions{}.features;
  std::map<std::string, double> extra;  // the architecture's own, filled in by describe()
};

// What all architectures have, and what the one that `settings` names declares.
void describe(OptionTable& table, NetworkSettings& settings);

NetworkOptions resolve(const NetworkSettings& settings, const DataSet& data);

// ffno over three axes, where fno has a matrix for every mode of a cube; else fno (docs/networks.md).
std::string default_architecture(const DataSet& data);

// 12, or as many as the padded axis can hold in a network of the architecture.
Index default_modes(const DataSet& data, std::size_t axis, const std::string& architecture = "fno");

}  // namespace nouq
