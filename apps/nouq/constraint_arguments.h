// A constraint as one says it on a command line: its kind, then name=value pairs.
//
//   integral axis=x value=mass
//   integral axis=x+y value=2.5 rule=midpoint noise_variance=1e-9
//   balance axis=x edges=0+50+99 flux=fluxes.npy
//
// A value is a number, a name (of an axis, of an array), a file of an array, or a list of them with +
// between.
#pragma once

#include <map>
#include <string>

#include <nouq/project.h>

#include "field_grid.h"

namespace nouq::cli {

struct ConstraintWords {
  std::string kind;
  std::map<std::string, Setting> settings;
};

// Files that are named are read into `values`, under the word that named them.
ConstraintWords parse_constraint(const std::string& text, NamedValues& values);

// The value of one setting.
Setting parse_setting(const std::string& word, const std::string& label, NamedValues& values);

}  // namespace nouq::cli
