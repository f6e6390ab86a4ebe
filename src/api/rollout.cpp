#include "physics/rollout.h"

#include <cmath>

#include <nouq/rollout.h>

#include "api/shared_model.h"
#include "core/error.h"

namespace nouq {
namespace {

Rollout rolled(const Model& model, const RolloutStart& start, const RolloutSettings& settings) {
  for (Index i = 0; i < start.state.size(); ++i)
    require(std::isfinite(start.state[i]), "initial states: {} at element {}, expected finite numbers",
            start.state[i], i);
  RolledOut result =
      roll_out(model.shared().surrogate(), start,
               {settings.steps,
                {projection_from_name(settings.project), settings.noise_variance, settings.threads},
                settings.samples});
  return {std::move(result.grid), std::move(result.prediction), std::move(result.trust),
          std::move(result.violation)};
}

}  // namespace

Rollout roll_out(const Model& model, const DataSet& trajectories, const RolloutSettings& settings) {
  validate(trajectories, "trajectories");
  return rolled(model, start_of(model.shared().surrogate(), trajectories), settings);
}

Rollout roll_out(const Model& model, const Grid& space, const Array<float>& states,
                 const RolloutSettings& settings) {
  return rolled(model, {space, states, {}, {}, {}}, settings);
}

}  // namespace nouq
