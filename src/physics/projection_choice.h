// Which projection a prediction goes through: one name from a prediction to a physical one.
//
//   none        as predicted
//   diagonal    the paper's: the law with a variance of 1e-9, spread by the variances
//   low-rank    spread by the covariance of the samples at each time, with half the diagonal
//   bounded     within the physical bounds, the law with the slack the surrogate keeps; where the method
//               has samples, the variance is that of the samples, each projected by itself; where there is
//               no law, within the bounds alone
// Contract: a choice that needs what is not there (a law, samples) is an Error that says what is missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "physics/physics.h"
#include "physics/projection.h"
#include "uq/predictor.h"

namespace nouq {

enum class ProjectionKind { none, diagonal, low_rank, bounded };

std::string_view name(ProjectionKind kind);
ProjectionKind projection_from_name(std::string_view name);

struct ProjectionChoice {
  ProjectionKind kind = ProjectionKind::none;
  std::optional<double> slack;  // variance of every row, instead of the kind's own
  int threads = 0;
};

// Does it make use of samples where a prediction has some?
inline bool uses_samples(ProjectionKind kind) {
  return kind == ProjectionKind::low_rank || kind == ProjectionKind::bounded;
}

// The settings that the name stands for; its noise variance is that of the choice, or the paper's.
ProjectionSettings settings_of(const ProjectionChoice& choice);

// `slack` is that of the training data (law_slack); may be empty, then the paper's is used.
Prediction project(const ProjectionChoice& choice, const Physics& physics, const Grid& grid,
                   const Array<double>& slack, const Prediction& prediction);

// The prediction of a surrogate for the data, with the slack that the surrogate keeps as "law.slack".
Prediction project(const ProjectionChoice& choice, const Surrogate& surrogate, const DataSet& data,
                   const Prediction& prediction);

}  // namespace nouq
