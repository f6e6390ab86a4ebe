// What a call of run_trainings comes to: each setting once, all checked, and how one of them is run.
#pragma once

#include <string>
#include <vector>

#include "core/communicator.h"
#include "uq/trainings.h"

namespace nouq {

struct TrainingPlan {
  std::vector<Training> different;        // each setting once
  std::vector<std::string> fingerprints;  // of those
  std::vector<std::size_t> position;      // of every wanted training among them

  [[nodiscard]] Index count() const { return std::ssize(different); }
  [[nodiscard]] Index epochs() const;               // of the longest
  [[nodiscard]] std::vector<double> costs() const;  // of an epoch, of each
};

TrainingPlan plan_trainings(std::span<const Training> wanted);

// Those whose fingerprint, as a number, is the part's modulo its count.
TrainingPlan part_of(const TrainingPlan& plan, Part part);

// Whether several ranks can train each of these networks together. Architectures from outside may not allow
// it; `why_not`, unless it is null, then names the one.
bool can_be_shared(const TrainingPlan& plan, std::string* why_not = nullptr);

// Trains one of them, from its checkpoint where there is one, together with the ranks of the group if one is
// given. Errors say which of several it was.
TrainedNetwork train_one(const TrainingPlan& plan, Index network, const TrainingsOptions& options,
                         int threads, TrainObserver& observer, Group* group = nullptr);

}  // namespace nouq
