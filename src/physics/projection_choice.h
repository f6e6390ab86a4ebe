// Which projection a prediction goes through: one name from a prediction to a physical one.
//
//   none           as predicted
//   diagonal       the paper's: the law with a variance of 1e-9, spread by the variances
//   low-rank       spread by the covariance of the samples at each time, with half the diagonal
//   bounded        within the physical bounds, the law as strict and spread as the surrogate keeps it
//                  (projection_calibration.h); where the method has samples, the variance is that of the
//                  samples, each projected by itself; where there is no law, within the bounds alone
// and, so that what each part of it does can be seen, the baselines
//   clip           within the bounds alone
//   diagonal-clip  diagonal, and then clip
//   law            the law as in bounded, without bounds
//
// Contract: a choice that needs what is not there (a law, bounds, samples) is an Error that says what is
// missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "physics/physics.h"
#include "physics/projection.h"
#include "uq/predictor.h"

namespace nouq {

enum class ProjectionKind { none, diagonal, low_rank, bounded, clip, diagonal_clip, law };

std::string_view name(ProjectionKind kind);
ProjectionKind projection_from_name(std::string_view name);

struct ProjectionChoice {
  ProjectionKind kind = ProjectionKind::none;
  std::optional<double> noise_variance = {};  // variance of every row, instead of the kind's own
  int threads = 0;
};

// Does it make use of samples where a prediction has some?
inline bool uses_samples(ProjectionKind kind) {
  return kind == ProjectionKind::low_rank || kind == ProjectionKind::bounded;
}
inline bool needs_law(ProjectionKind kind) {
  return kind == ProjectionKind::diagonal || kind == ProjectionKind::low_rank ||
         kind == ProjectionKind::diagonal_clip || kind == ProjectionKind::law;
}

// How the law is used by the projections that know the surrogate: bounded and law.
struct LawUse {
  Array<double> noise_variance;  // one per row; empty: the paper's for all
  double sigma_power = 2;        // how a correction is spread: by sigma^2, or more evenly (covariance.h)
};
// "law.noise" and "law.spread"; surrogates that keep no spread are of the time when it was always 2.
LawUse law_use_of(const Surrogate& surrogate);
void store(const LawUse& use, Surrogate& surrogate);

// The settings that the name stands for; its noise variance is that of the choice, or the paper's.
ProjectionSettings settings_of(const ProjectionChoice& choice);

Prediction project(const ProjectionChoice& choice, const Physics& physics, const Grid& grid,
                   const LawUse& use, const Prediction& prediction);

// The prediction of a surrogate for the data, with the use of the law that the surrogate keeps, and sized
// and with bands after it where the surrogate is calibrated for that (projection_calibration.h).
Prediction project(const ProjectionChoice& choice, const Surrogate& surrogate, const DataSet& data,
                   const Prediction& prediction);
// The same where the physics are known already.
Prediction project(const ProjectionChoice& choice, const Surrogate& surrogate, const Physics& physics,
                   const Grid& grid, const Prediction& prediction);

// A prediction as it came from the networks, sized by the law where the projection asks for that, and
// projected.
Prediction sized_and_projected(const ProjectionChoice& choice, const Surrogate& surrogate,
                               const DataSet& data, Prediction prediction);

}  // namespace nouq
