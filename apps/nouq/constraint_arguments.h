// A constraint as one says it on a command line: its kind, then name=value pairs.
//
//   integral axis=x value=mass
//   integral axis=x+y value=2.5 rule=midpoint slack=1e-9
//   balance axis=x edges=0+50+99 flux=fluxes.npy
//
// A value is a number, a name (of an axis, of an array), a file of an array, or a list of them with +
// between.
#pragma once

#include <string>

#include "conserve/constraint_registry.h"
#include "field_grid.h"

namespace nouq::cli {

// Files that are named are read into `values`, under the word that named them.
Settings parse_constraint(const std::string& text, NamedValues& values);

// The value of one setting.
Settings::Value parse_setting(const std::string& word, const std::string& label, NamedValues& values);

}  // namespace nouq::cli
