// What is known of a data set's fields besides the data: conservation laws as constraints, and bounds.
//
// The laws are those of the data set (data/laws.h) with its own values, integrated by the rule that the kind
// of each axis asks for. Bounds are those of its output channels and, when a built-in problem made the data,
// those of that problem at the data's parameters and times. A surrogate knows the laws and bounds of its
// training data: they hold for new data that say nothing themselves. Contract: without a law there are no
// rows, without bounds no inequalities; the fields themselves are not looked at, so that a question without
// solutions has its law, too.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/problem.h>

#include "conserve/field_layout.h"
#include "conserve/inequalities.h"
#include "conserve/linear_constraints.h"
#include "uq/surrogate.h"

namespace nouq {

struct Physics {
  LinearConstraints constraints;
  Inequalities bounds;

  [[nodiscard]] bool has_law() const { return constraints.rows() > 0; }
  [[nodiscard]] bool has_bounds() const { return !bounds.lower.empty() || !bounds.upper.empty(); }
};

// All that a law, bounds and their values can come from; `physics_of` makes constraints of it.
struct KnownPhysics {
  FieldLayout layout;
  Laws laws;
  std::map<std::string, Array<double>>
      values;                  // of the laws: [n, places...]; a law without values is left out
  std::vector<Bounds> bounds;  // one per channel, or none
  // A problem's own bounds, for fields of one channel; one parameter per sample.
  const Problem* problem = nullptr;
  std::vector<double> parameters;
};

Physics physics_of(const KnownPhysics& known);
Physics physics_of(const DataSet& data);
// A built-in problem's own law, where it has one, and bounds: a sample for each parameter.
Physics physics_of(const Problem& problem, const Grid& grid, const std::vector<double>& parameters,
                   bool bounds = true);
// With what the surrogate knows where the data say nothing.
Physics physics_of(const Surrogate& surrogate, const DataSet& data);

// The rows of each law that the data have values for, by its name; the data's own laws and the surrogate's.
std::map<std::string, LinearConstraints> law_rows_of(const Surrogate& surrogate, const DataSet& data);

// Whether the law has one row for each time, so that it can be drawn as a curve over it.
bool has_law_at_every_time(const DataSet& data);

// The laws of a surrogate's outputs: those of its training data. A model that keeps how strictly a law holds,
// but names none, was trained on data with "mass".
Laws laws_of(const Surrogate& surrogate);

// Those of the data, and of the surrogate's those that the data have values for but no words.
Laws laws_of(const Surrogate& surrogate, const DataSet& data);

// The variances with which a surrogate's law holds ("law.noise"), one per row; empty when it keeps none.
Array<double> law_noise_of(const Surrogate& surrogate);

// Throws what physics_of would, and builds nothing: a data set has as many bounds as points, twice.
void check_physics(const DataSet& data);

// How well the training fields themselves meet the law: the noise variance below which it should not be
// enforced. One variance per row; empty when there is no law.
Array<double> law_noise(const DataSet& training);

// The law for the domain scaled to volume one, as the paper's figures have it: the coordinates of every axis
// that is integrated over go from 0 to 1, and its values are divided by the domain's length, area or volume.
LinearConstraints unit_law_of(const Laws& laws, const DataSet& data);

}  // namespace nouq
