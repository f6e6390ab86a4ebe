#include "train/schedule.h"

#include <array>
#include <cmath>
#include <numbers>

#include "core/error.h"

namespace nouq {
namespace {

constexpr std::array kinds = {ScheduleKind::step, ScheduleKind::cosine, ScheduleKind::one_cycle,
                              ScheduleKind::constant};

// From a to b along half a cosine, at position 0..1.
double anneal(double a, double b, double position) {
  return b + (a - b) * 0.5 * (1.0 + std::cos(std::numbers::pi * position));
}

double one_cycle(double peak, double progress) {
  constexpr double rise = 0.3;
  if (progress < rise) return anneal(peak / 25.0, peak, progress / rise);
  return anneal(peak, peak / 10000.0, (progress - rise) / (1.0 - rise));
}

}  // namespace

void validate(const Schedule& schedule) {
  require(schedule.base_rate > 0.0 && schedule.base_rate <= 10.0,
          "learning rate = {}: expected above 0, at most 10", schedule.base_rate);
  require(schedule.period >= 1, "schedule period = {} epochs: expected at least 1", schedule.period);
  require(schedule.factor > 0.0 && schedule.factor <= 1.0,
          "schedule factor = {}: expected above 0, at most 1", schedule.factor);
}

std::string_view name(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::cosine:
      return "cosine";
    case ScheduleKind::one_cycle:
      return "one_cycle";
    case ScheduleKind::constant:
      return "constant";
    case ScheduleKind::step:
      break;
  }
  return "step";
}

ScheduleKind schedule_from_name(std::string_view wanted) {
  for (const ScheduleKind kind : kinds) {
    if (name(kind) == wanted) return kind;
  }
  fail("schedule '{}' is unknown: expected step, cosine, one_cycle or constant", wanted);
}

double learning_rate(const Schedule& schedule, Index epoch, Index step, Index total_epochs,
                     Index total_steps) {
  const auto ratio = [](Index a, Index b) {
    return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : 0.0;
  };
  switch (schedule.kind) {
    case ScheduleKind::cosine:
      return anneal(schedule.base_rate, 0.0, ratio(epoch, total_epochs));
    case ScheduleKind::one_cycle:
      return one_cycle(schedule.base_rate, ratio(step, total_steps));
    case ScheduleKind::constant:
      return schedule.base_rate;
    case ScheduleKind::step:
      break;
  }
  const Index reductions = epoch / schedule.period;
  return schedule.base_rate * std::pow(schedule.factor, static_cast<double>(reductions));
}

}  // namespace nouq
