#include "physics/projection_choice.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/names.h"
#include "physics/law_sizing.h"
#include "physics/projection_calibration.h"

namespace nouq {
namespace {

constexpr double released_noise = 1e-9;  // a variance, as the authors' code has it

const std::vector<std::string> kind_names = {"none", "diagonal",      "low-rank", "bounded",
                                             "clip", "diagonal-clip", "law"};  // in the enum's order

bool knows_use(ProjectionKind kind) { return kind == ProjectionKind::bounded || kind == ProjectionKind::law; }

// The model's own noise; a number in the choice replaces whatever there is.
bool takes_own_noise(const ProjectionChoice& choice, const Physics& physics, const LawUse& use) {
  return !choice.noise_variance && knows_use(choice.kind) && !use.noise_variance.empty() && physics.has_law();
}

LinearConstraints with_noise(LinearConstraints law, ProjectionKind kind, const Array<double>& noise) {
  require(noise.size() == law.rows(),
          "projection {}: the model knows how strictly the law holds at {} times, the data have {}; give "
          "the noise variance, or take the projection diagonal",
          name(kind), noise.size(), law.rows());
  law.noise_variance.assign(noise.begin(), noise.end());
  return law;
}

void require_possible(ProjectionKind kind, const Physics& physics, const Prediction& prediction) {
  require(physics.has_law() || (!needs_law(kind) && physics.has_bounds()),
          "projection {}: the data have no conservation law (values of [samples, times] under "
          "constraints/mass in "
          "HDF5, constraint_mass in NPZ)",
          name(kind));
  const bool clips = kind == ProjectionKind::clip || kind == ProjectionKind::diagonal_clip;
  require(!clips || physics.has_bounds(), "projection {}: neither the data nor the model know bounds",
          name(kind));
  require(
      kind != ProjectionKind::low_rank || !prediction.samples.empty(),
      "projection low-rank: the method has no samples (heads, networks, masks) to take a covariance from");
}

// Values that no law explains: the reason why there is none is there.
void require_words(ProjectionKind kind, const DataSet& data, const Physics& physics) {
  if (physics.has_law() || (!needs_law(kind) && physics.has_bounds()) || data.constraint_values.empty())
    return;
  const std::string& name_of_values = data.constraint_values.begin()->first;
  fail(
      "projection {}: the data have values '{}', but no law says what they are the integral of: name it with nouq "
      "import --law {}=x+y:u, or under 'laws' in the file; 'mass' is the integral of the first channel over all axes "
      "but t",
      name(kind), name_of_values, name_of_values);
}

// `members` fields of every sample.
void clip(const Inequalities& bounds, Index members, Array<double>& fields) {
  const Index count = fields.extent(0), points = fields.size() / (count * members);
  for (Index i = 0; i < fields.size(); ++i) {
    const Index sample = i / (members * points);
    const double *low = lower_of(bounds, sample), *high = upper_of(bounds, sample);
    if (low != nullptr) fields[i] = std::max(fields[i], low[i % points]);
    if (high != nullptr) fields[i] = std::min(fields[i], high[i % points]);
  }
}

// The baselines clip values and leave the variance.
Prediction clipped(const Physics& physics, Prediction prediction) {
  clip(physics.bounds, 1, prediction.mean);
  if (!prediction.samples.empty()) clip(physics.bounds, prediction.samples.extent(1), prediction.samples);
  return prediction;
}

}  // namespace

std::string_view name(ProjectionKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

std::vector<std::string> projection_names() { return kind_names; }

ProjectionKind projection_from_name(std::string_view name) {
  return static_cast<ProjectionKind>(index_of_name("projection", name, kind_names));
}

LawUse law_use_of(const Surrogate& surrogate) {
  LawUse use{law_noise_of(surrogate)};
  if (!surrogate.state.contains("law.spread")) return use;
  use.sigma_power = state_number(surrogate, "law.spread");
  require(use.sigma_power >= 0 && use.sigma_power <= 2, "'law.spread' is {}: expected a number from 0 to 2",
          use.sigma_power);
  return use;
}

void store(const LawUse& use, Surrogate& surrogate) {
  if (use.noise_variance.empty()) return;
  surrogate.state["law.noise"] = use.noise_variance;
  surrogate.state["law.spread"] = number(use.sigma_power);
}

ProjectionSettings settings_of(const ProjectionChoice& choice) {
  ProjectionSettings settings;
  settings.diagonal_share = choice.kind == ProjectionKind::low_rank ? 0.5 : 1.0;
  settings.bounded = choice.kind == ProjectionKind::bounded;
  settings.noise_variance = choice.noise_variance.value_or(released_noise);
  settings.threads = choice.threads;
  return settings;
}

Prediction project(const ProjectionChoice& choice, const Physics& physics, const Grid& grid,
                   const LawUse& use, const Prediction& prediction) {
  if (choice.kind == ProjectionKind::none) return prediction;
  require_possible(choice.kind, physics, prediction);
  if (choice.kind == ProjectionKind::clip) return clipped(physics, prediction);
  const bool own = takes_own_noise(choice, physics, use);
  ProjectionSettings settings = settings_of(choice);
  if (own) settings.noise_variance.reset();
  if (knows_use(choice.kind)) settings.sigma_power = use.sigma_power;
  Prediction projected{
      Array<double>(prediction.mean.shape()), Array<double>(prediction.mean.shape()),
      prediction.samples.empty() ? Array<double>{} : Array<double>(prediction.samples.shape())};
  project(settings,
          own ? with_noise(physics.constraints, choice.kind, use.noise_variance) : physics.constraints,
          settings.bounded ? physics.bounds : Inequalities{}, {grid, prediction.mean.shape().back()},
          {prediction.mean.view(), prediction.variance.view(), prediction.samples.view()},
          {projected.mean.view(), projected.variance.view(), projected.samples.view()});
  return choice.kind == ProjectionKind::diagonal_clip ? clipped(physics, std::move(projected)) : projected;
}

Prediction project(const ProjectionChoice& choice, const Surrogate& surrogate, const Physics& physics,
                   const Grid& grid, const Prediction& prediction) {
  if (choice.kind == ProjectionKind::none) return prediction;
  Prediction projected = project(choice, physics, grid, law_use_of(surrogate), prediction);
  size_after(surrogate, choice, physics.constraints.rows(), projected);
  return projected;
}

Prediction project(const ProjectionChoice& choice, const Surrogate& surrogate, const DataSet& data,
                   const Prediction& prediction) {
  if (choice.kind == ProjectionKind::none) return prediction;
  const Physics physics = physics_of(surrogate, data);
  require_words(choice.kind, data, physics);
  return project(choice, surrogate, physics, data.grid, prediction);
}

Prediction sized_and_projected(const ProjectionChoice& choice, const Surrogate& surrogate,
                               const DataSet& data, Prediction prediction) {
  const bool projects = choice.kind != ProjectionKind::none;
  const Physics physics = projects ? physics_of(surrogate, data) : Physics{};
  if (projects) require_words(choice.kind, data, physics);
  if (!projects || sized_by_law_before(surrogate, choice, physics.constraints.rows()))
    size_by_law(surrogate, data, prediction);
  return project(choice, surrogate, physics, data.grid, prediction);
}

}  // namespace nouq
