// What a prediction must obey, from the options of a command: constraints in words or in a file, the law of a
// built-in problem, bounds.
//
// Contract: arrays that constraints name come from --values, from the file of the mean and from --data, in
// this order. Without any constraint the law of --problem is taken, or the mass of --data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/project.h>

#include "config/option_table.h"
#include "field_grid.h"

namespace nouq::cli {

struct ConstraintOptions {
  std::vector<std::string> constraints;
  std::filesystem::path file;
  std::string problem;
  std::vector<std::string> parameters;
  std::string lower, upper;
  std::string monotone;
  double noise_variance = 0;
  std::filesystem::path noise_variance_from;
  std::vector<std::string> values;
};

void add_constraint_options(OptionTable& table, ConstraintOptions& options);

// Constraints under the words that asked for them; bounds of options and data have none.
struct ConstraintPart {
  std::string name;
  Constraints constraints;
};

struct GivenConstraints {
  std::vector<ConstraintPart> parts;

  [[nodiscard]] Constraints all() const;
};

// What the constraints are about: fields on a grid, arrays by name, and the data set when there is one.
struct ConstraintSubject {
  Grid grid;
  NamedValues values;
  const DataSet* data = nullptr;
  Index channels = 1;
};

// `bounded`: a problem's own bounds are wanted too.
GivenConstraints make_constraints(const ConstraintOptions& options, const ConstraintSubject& subject,
                                  bool bounded);

}  // namespace nouq::cli
