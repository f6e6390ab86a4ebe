// What data and a model know of their fields: channels, conservation laws, and bounds.
//
// Why: whoever meets the data later (a projection, an evaluation, another language) must enforce the same law
// as their author meant. A law says what is integrated; with which weights follows from the kinds of the axes
// (nouq/grid.h). Its right-hand sides are values of the data set, under the name of the law.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/bounds.h>

namespace nouq {

struct Channel {
  std::string name;
  std::string unit;
  friend bool operator==(const Channel&, const Channel&) = default;
};

// The integral of an output channel over some axes is known at every place on the others: [n, places...].
struct Law {
  std::vector<std::string> axes;
  Index channel = 0;
  friend bool operator==(const Law&, const Law&) = default;
};
using Laws = std::map<std::string, Law>;  // by the name of the values
// Values that need no words: without a law of their own they are the integral of the first channel over all
// axes but t, where t is the last of two or more; over all of them, one for each sample, where none is t.
inline constexpr const char* mass_name = "mass";

}  // namespace nouq
