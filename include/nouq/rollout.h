// A surrogate of one time step, applied again and again.
//
//   nouq::DataSet runs = nouq::read("burgers.npz");             // [n, x, t]
//   const nouq::Model model = nouq::train(std::move(runs), {.epochs = 200, .rollout = 1});
//   const nouq::Rollout future =
//       nouq::roll_out(model, nouq::read("start.npz"), {.steps = 200, .project = "bounded"});
//   future.prediction.mean;       // [n, x, 200, 1]
//   future.trust[0][199].verdict; // of the first trajectory after 200 steps
//
// Every member of the model (head, network, mask) goes its own way, and the mean and the spread are theirs;
// methods without members carry the mean and add up variances. With a projection, the law holds exactly at
// every step: the data's values where they are given, and for what stays the same in all training
// trajectories (Model's info().rollout->closed) the integral of the initial state alone. Size, bands and
// trust are those of roll-outs of the held-out trajectories over the trained times. Beyond these, what all
// members get wrong alike is taken to grow in proportion to time, and the verdict says when states are met
// that are unlike those of training, or when members have drifted further apart than they did there.
// Contract: a function of its arguments; threads do not matter. A verdict never gets better with time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/model.h>
#include <nouq/prediction.h>

namespace nouq {

struct RolloutSettings {
  Index steps = 1;                            // applications of the model
  std::string project = "none";               // at every step, as in Projection
  std::optional<double> noise_variance = {};  // not set: exactly
  bool samples = false;                       // the members' trajectories, too
  int threads = 0;                            // 0: all cores
};

struct Rollout {
  Grid grid;              // that of the data, with the times after the first that were asked for
  Prediction prediction;  // [n, space..., times, channels], with bands where there are calibrated ones
  std::vector<std::vector<Trust>> trust;  // after every step of each trajectory; empty without a calibration
  std::map<std::string, double> violation;  // of each law that is known, the largest difference
};

// From the first time of trajectories [n, space..., t, channels], whose other times are not looked at: a
// single one will do, with the coordinates of two. Inputs besides the state must be there for the times that
// are asked for, unless they do not change.
NOUQ_API Rollout roll_out(const Model& model, const DataSet& trajectories, const RolloutSettings& settings);
// From states [n, space..., outputs], of a model that takes nothing else.
NOUQ_API Rollout roll_out(const Model& model, const Grid& space, const Array<float>& states,
                          const RolloutSettings& settings);

}  // namespace nouq
