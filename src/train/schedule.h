// How the learning rate changes while training.
//
//   step       halved every 50 epochs (the paper's); period and factor are options
//   cosine     from the base rate down to zero along half a cosine
//   one_cycle  up from 1/25 of the base rate over the first 30 % of training, then down to 1/10000 along
//   cosines; changes
//              every step. The base rate is its peak.
//   constant
#pragma once

#include <string_view>

#include <nouq/array.h>

namespace nouq {

enum class ScheduleKind { step, cosine, one_cycle, constant };

struct Schedule {
  ScheduleKind kind = ScheduleKind::step;
  double base_rate = 1e-3;
  Index period = 50;    // step: epochs between reductions
  double factor = 0.5;  // step: what the rate is multiplied by

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

void validate(const Schedule& schedule);
std::string_view name(ScheduleKind kind);
// Throws for an unknown name, and lists the known ones.
ScheduleKind schedule_from_name(std::string_view name);

// The rate of a step: epoch and step count from 0, steps over the whole training.
double learning_rate(const Schedule& schedule, Index epoch, Index step, Index total_epochs,
                     Index total_steps);

}  // namespace nouq
