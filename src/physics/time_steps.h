// Trajectories cut into time steps: what a surrogate that is applied again and again learns from.
//
// Why: solutions over time, [n, space..., t, channels], tell how a state follows from the one before, many
// times in each. When: `train --rollout`. A step of `block` time points takes the state at one time to those
// at the next `block` times, of which the last is the next state.
//   inputs   the state (the output channels of the trajectories), then the other inputs (coefficients,
//            forcing) at the times that are asked for; an input that is the initial state itself is left out
//   outputs  the states after it; with a block of one the time axis is gone
// Contract: the last axis is called t and its points are evenly spaced. Steps come in the order of the
// trajectories and of time; parameters, bounds and values of laws at each time go along. A law over t alone,
// or with t, says nothing about a step and is left out. Where the integral of a channel over space stays what
// it is (to float32's rounding) in every trajectory, it becomes a law, too.
#pragma once

#include <string>
#include <vector>

#include <nouq/data.h>

namespace nouq {

struct TimeSteps {
  DataSet data;
  Index block = 1;
  double step = 0;                  // of time, between two points
  Index horizon = 0;                // time points after the first in a trajectory
  std::vector<Index> inputs;        // of the trajectories, that are not the initial state
  std::vector<std::string> closed;  // laws whose values stay the same all the time
  std::vector<std::string> found;   // those of them that the data did not name
};

// The time axis of trajectories. Throws, naming `source`, when there is none, or none that can be used.
const Axis& time_axis(const Grid& grid, const std::string& source);
// Points one time step apart, for `count` of them after `start`.
Axis times_after(const Axis& time, double start, double step, Index count);
// The axes of a step: those of space, and of time where the block is longer than one.
Grid step_grid(const Grid& trajectories, Index block);

TimeSteps time_steps(const DataSet& trajectories, Index block, const std::string& source);

// One time of fields [n, space..., t, channels], as [n, space..., channels].
Array<float> at_time(const Array<float>& fields, Index time);

// Sums over space of one state [space..., channels] by the law, one per place on the other axes of space.
std::vector<double> integrals(const Grid& space, const Law& law, Index channels, const double* state);

}  // namespace nouq
