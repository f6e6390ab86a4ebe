// Constraints from a TOML file, for data of one's own.
//
//   [[constraint]]
//   kind = "integral"
//   axis = "x"
//   value = "mass"        # an array of the data file: [samples, times]; or a number
//
//   [[constraint]]
//   kind = "bounds"
//   lower = 0
//
// docs/projection.md lists the kinds and their settings. Contract: files are untrusted; errors name the file
// and the constraint.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "conserve/constraint_registry.h"

namespace nouq {

ConstraintSet read_constraint_file(const std::filesystem::path& path, const ConstraintContext& context);
// The same for a text; `source` is its name in messages.
ConstraintSet parse_constraints(std::string_view text, const std::string& source,
                                const ConstraintContext& context);

// The same where the text says what the fields are on, too, in the order of their axes:
//
//   channels = 1              # unless given
//   [[axis]]
//   name = "x"
//   kind = "cells"            # points unless given; or periodic
//   coordinates = "x"         # an array by name, or a list of numbers
struct GriddedConstraints {
  FieldLayout layout;
  ConstraintSet set;
};
// `context` has the arrays and the noise variance; its layout is that of the text.
GriddedConstraints parse_gridded_constraints(std::string_view text, const std::string& source,
                                             ConstraintContext context);

}  // namespace nouq
