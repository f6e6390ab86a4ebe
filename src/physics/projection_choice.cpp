#include "physics/projection_choice.h"

#include <array>

#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

constexpr double released_slack = 1e-9;  // a variance, as the authors' code has it

const std::vector<std::string> kind_names = {"none", "diagonal", "low-rank",
                                             "bounded"};  // in the enum's order

// The model's own noise is for the bounded projection; a number in the choice replaces whatever there is.
bool takes_own_noise(const ProjectionChoice& choice, const Physics& physics, const Array<double>& noise) {
  return !choice.slack && choice.kind == ProjectionKind::bounded && !noise.empty() && physics.has_law();
}

LinearConstraints with_noise(LinearConstraints law, const Array<double>& noise) {
  require(
      noise.size() == law.rows(),
      "projection bounded: the model knows how strictly the law holds at {} times, the data have {}; give "
      "the slack, or take the projection diagonal",
      noise.size(), law.rows());
  law.slack.assign(noise.begin(), noise.end());
  return law;
}

}  // namespace

std::string_view name(ProjectionKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

std::vector<std::string> projection_names() { return kind_names; }

ProjectionKind projection_from_name(std::string_view name) {
  return static_cast<ProjectionKind>(index_of_name("projection", name, kind_names));
}

ProjectionSettings settings_of(const ProjectionChoice& choice) {
  ProjectionSettings settings;
  settings.diagonal_share = choice.kind == ProjectionKind::low_rank ? 0.5 : 1.0;
  settings.bounded = choice.kind == ProjectionKind::bounded;
  settings.noise_variance = choice.slack.value_or(released_slack);
  settings.threads = choice.threads;
  return settings;
}

Prediction project(const ProjectionChoice& choice, const Physics& physics, const Grid& grid,
                   const Array<double>& slack, const Prediction& prediction) {
  if (choice.kind == ProjectionKind::none) return prediction;
  require(physics.has_law() || (choice.kind == ProjectionKind::bounded && physics.has_bounds()),
          "projection {}: the data have no conservation law (values of [samples, times] under "
          "constraints/mass in "
          "HDF5, constraint_mass in NPZ)",
          name(choice.kind));
  require(
      choice.kind != ProjectionKind::low_rank || !prediction.samples.empty(),
      "projection low-rank: the method has no samples (heads, networks, masks) to take a covariance from");
  const bool own = takes_own_noise(choice, physics, slack);
  ProjectionSettings settings = settings_of(choice);
  if (own) settings.noise_variance.reset();
  Prediction projected{
      Array<double>(prediction.mean.shape()), Array<double>(prediction.mean.shape()),
      prediction.samples.empty() ? Array<double>{} : Array<double>(prediction.samples.shape())};
  project(settings, own ? with_noise(physics.constraints, slack) : physics.constraints,
          settings.bounded ? physics.bounds : Inequalities{}, {grid, prediction.mean.shape().back()},
          {prediction.mean.view(), prediction.variance.view(), prediction.samples.view()},
          {projected.mean.view(), projected.variance.view(), projected.samples.view()});
  return projected;
}

Prediction project(const ProjectionChoice& choice, const Surrogate& surrogate, const DataSet& data,
                   const Prediction& prediction) {
  if (choice.kind == ProjectionKind::none) return prediction;
  return project(choice, physics_of(surrogate, data), data.grid, law_noise_of(surrogate), prediction);
}

}  // namespace nouq
