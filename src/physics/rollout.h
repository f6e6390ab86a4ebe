// A surrogate of one time step, applied again and again.
//
// Every member (head, network, mask) goes its own way: its state at the end of a step is what it takes into
// the next, so that small errors grow in each as the equation and the networks let them. The mean is that of
// the members. Methods without members carry the mean, and add up the variances of the steps.
//
// Each step may be projected: onto the law as it is at that time where its values are given, and otherwise,
// for laws that held their value in the training data (rollout.closed), onto the integral of the initial
// state; exactly, unless a noise variance is given, and within the bounds with "bounded" and "clip".
//
// Size and trust come from roll-outs of the held-out trajectories over the trained times (calibrate_rollout).
// With the members' variance v after k of K steps, sigma^2 = scale (v + floor (k / K)^2): what all members
// get wrong alike is taken to grow with time. Bands have a factor for whole fields over all trained times. A
// roll-out is trusted as long as two things stay what they are on held-out ones: each step's own trust (is
// this state like those of training, do the heads agree on it), and how far the members have drifted apart.
// Contract: scores never fall with time, as later states rest on earlier ones. Everything is a function of
// the surrogate and the question.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "physics/projection_choice.h"
#include "physics/time_steps.h"

namespace nouq {

// What a surrogate of time steps knows: kept as "rollout.block", "rollout.step", "rollout.horizon",
// "rollout.start" (the first time of the trajectories) and "rollout.closed.<law>".
struct RolloutFacts {
  Index block = 1;
  double step = 0;
  Index horizon = 0;  // time points after the first
  double start = 0;
};
bool has_rollout(const Surrogate& surrogate);
RolloutFacts rollout_facts(const Surrogate& surrogate);
void store(const TimeSteps& steps, double start, Surrogate& surrogate);
bool is_closed(const Surrogate& surrogate, const std::string& law);

// Where trajectories begin. The first extent of all counts them.
struct RolloutStart {
  Grid space;
  Array<float> state;   // [n, space..., outputs]
  Array<float> inputs;  // [n, space..., times, others]: one time for all, or every time that is asked for
  Array<double> parameters;                     // [n, parameters], or empty
  std::map<std::string, Array<double>> values;  // of laws: [n, places, times], after the initial one
};

// That of trajectories, whose first time is the initial state.
RolloutStart start_of(const Surrogate& surrogate, const DataSet& trajectories);

struct RolledOut {
  Grid grid;                                // with the times that were asked for
  Prediction prediction;                    // [n, space..., times, channels]; samples have the members second
  std::vector<std::vector<Trust>> trust;    // [n][steps]; empty where it is not calibrated
  std::map<std::string, double> violation;  // largest |integral - value| of each law over the mean
};

struct RolloutOptions {
  Index steps = 1;  // blocks
  ProjectionChoice projection = {};
  bool samples = false;
};
RolledOut roll_out(const Surrogate& surrogate, const RolloutStart& start, const RolloutOptions& options);
// As the members give it, without sizes, and with the trust of each step by itself.
RolledOut roll_out_unsized(const Surrogate& surrogate, const RolloutStart& start,
                           const RolloutOptions& options);

// On held-out trajectories, as far as they go. `level` and `coverage` are what so many of them can state; 0
// for no trust or no bands.
struct RolloutLevels {
  double trust = 0;
  double coverage = 0;
};
void calibrate_rollout(const DataSet& trajectories, const RolloutLevels& levels, int threads,
                       Surrogate& surrogate);
std::optional<double> rollout_coverage(const Surrogate& surrogate);  // of its bands

}  // namespace nouq
