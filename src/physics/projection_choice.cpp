#include "physics/projection_choice.h"

#include <array>

#include "conserve/bounded_projection.h"
#include "conserve/projection.h"
#include "core/names.h"

namespace nouq {
namespace {

constexpr double released_slack = 1e-9;  // a variance, as the authors' code has it

struct Named {
  ProjectionKind kind;
  std::string_view name;
};
constexpr std::array<Named, 4> kinds = {{{ProjectionKind::none, "none"},
                                         {ProjectionKind::diagonal, "diagonal"},
                                         {ProjectionKind::low_rank, "low-rank"},
                                         {ProjectionKind::bounded, "bounded"}}};

LinearConstraints law_with_slack(const ProjectionChoice& choice, const Physics& physics,
                                 const Array<double>& slack) {
  LinearConstraints law = physics.constraints;
  law.set_slack(choice.slack.value_or(released_slack));
  if (choice.slack || choice.kind != ProjectionKind::bounded || slack.empty()) return law;
  require(
      slack.size() == law.rows(),
      "projection bounded: the model knows how strictly the law holds at {} times, the data have {}; give "
      "the slack, or take the projection diagonal",
      slack.size(), law.rows());
  law.slack.assign(slack.begin(), slack.end());
  return law;
}

}  // namespace

std::string_view name(ProjectionKind kind) { return kinds.at(static_cast<std::size_t>(kind)).name; }

std::vector<std::string> projection_names() {
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const Named& k : kinds) names.emplace_back(k.name);
  return names;
}

ProjectionKind projection_from_name(std::string_view name) {
  for (const Named& k : kinds) {
    if (k.name == name) return k.kind;
  }
  fail_unknown_name("projection", name, projection_names());
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
  const LinearConstraints law = law_with_slack(choice, physics, slack);
  const FieldLayout layout{grid, prediction.mean.shape().back()};
  Prediction projected{
      Array<double>(prediction.mean.shape()), Array<double>(prediction.mean.shape()),
      prediction.samples.empty() ? Array<double>{} : Array<double>(prediction.samples.shape())};
  const PredictionView from{prediction.mean.view(), prediction.variance.view(), prediction.samples.view()};
  const ProjectedView to{projected.mean.view(), projected.variance.view(), projected.samples.view()};
  if (choice.kind == ProjectionKind::bounded) {
    BoundedOptions options;
    options.threads = choice.threads;
    BoundedProjector(law, physics.bounds, layout, options).project(from, to);
  } else {
    const bool low_rank = choice.kind == ProjectionKind::low_rank;
    const Covariance covariance =
        low_rank ? Covariance::low_rank_plus_diagonal(0.5, "t") : Covariance::diagonal();
    Projector(law, layout, {covariance, choice.threads}).project(from, to);
  }
  return projected;
}

Prediction project(const ProjectionChoice& choice, const Surrogate& surrogate, const DataSet& data,
                   const Prediction& prediction) {
  if (choice.kind == ProjectionKind::none) return prediction;
  const auto slack = surrogate.state.find("law.slack");
  return project(choice, physics_of(data), data.grid,
                 slack == surrogate.state.end() ? Array<double>{} : slack->second, prediction);
}

}  // namespace nouq
