#include "uq/training_plan.h"

#include <algorithm>
#include <map>

#include "core/checksum.h"
#include "core/error.h"
#include "nn/architecture.h"
#include "nn/cost.h"
#include "train/fingerprint.h"

namespace nouq {
namespace {

std::uint64_t number_of(const std::string& fingerprint) {
  return crc64(std::as_bytes(std::span(fingerprint)));
}

// Says in an error which network of several it was.
template <class Action>
decltype(auto) naming(Index network, Index count, Action&& action) {
  if (count == 1) return std::forward<Action>(action)();
  return with_source(fmt::format("network {} of {}", network + 1, count), std::forward<Action>(action));
}

TrainedNetwork run(TrainerOptions options, const Training& training, bool tolerate_divergence,
                   TrainObserver& observer) {
  Trainer trainer(std::move(options), *training.train, *training.validation);
  std::string error;
  try {
    trainer.train(&observer);
  } catch (const Error& e) {
    if (!tolerate_divergence || !trainer.diverged()) throw;
    error = e.what();
  }
  return {{trainer.best_weights().begin(), trainer.best_weights().end()},
          trainer.history(),
          trainer.best_epoch(),
          trainer.fingerprint(),
          error};
}

}  // namespace

Index TrainingPlan::epochs() const {
  Index most = 0;
  for (const Training& training : different) most = std::max(most, training.options.epochs);
  return most;
}

std::vector<double> TrainingPlan::costs() const {
  std::vector<double> costs;
  for (const Training& training : different) {
    costs.push_back(
        cost_of(training.options.network, shape_of(training.train->data().grid), training.train->size())
            .step_flops);
  }
  return costs;
}

TrainingPlan plan_trainings(std::span<const Training> wanted) {
  TrainingPlan plan;
  std::map<std::string, std::size_t> known;
  for (const Training& training : wanted) {
    const std::string fingerprint =
        training_fingerprint(training.options, *training.train, *training.validation);
    const auto [entry, is_new] = known.emplace(fingerprint, plan.different.size());
    if (is_new) {
      plan.different.push_back(training);
      plan.fingerprints.push_back(fingerprint);
    }
    plan.position.push_back(entry->second);
  }
  for (Index i = 0; i < plan.count(); ++i) {
    const Training& one = plan.different[i];
    naming(i, plan.count(), [&] { validate(one.options, *one.train, *one.validation); });
  }
  return plan;
}

TrainingPlan part_of(const TrainingPlan& plan, Part part) {
  TrainingPlan own;
  for (std::size_t i = 0; i < plan.different.size(); ++i) {
    if (number_of(plan.fingerprints[i]) % part.count != static_cast<std::uint64_t>(part.index)) continue;
    own.different.push_back(plan.different[i]);
    own.fingerprints.push_back(plan.fingerprints[i]);
  }
  return own;
}

bool can_be_shared(const TrainingPlan& plan, std::string* why_not) {
  for (const Training& training : plan.different) {
    const std::string& name = training.options.network.architecture;
    if (find_architecture(name).can_share_batches()) continue;
    if (why_not != nullptr) *why_not = fmt::format("networks of the architecture {}", name);
    return false;
  }
  return true;
}

TrainedNetwork train_one(const TrainingPlan& plan, Index network, const TrainingsOptions& options,
                         int threads, TrainObserver& observer, Group* group) {
  const Training& training = plan.different[network];
  TrainerOptions own = training.options;
  own.threads = threads;
  own.group = group;
  own.checkpoint_period = options.checkpoint_period;
  own.checkpoint_seconds = options.checkpoint_seconds;
  own.any_processor = options.any_processor;
  own.checkpoint = options.folder.empty() ? "" : training_file(options.folder, plan.fingerprints[network]);
  return naming(network, plan.count(),
                [&] { return run(std::move(own), training, options.tolerate_divergence, observer); });
}

std::filesystem::path training_file(const std::filesystem::path& folder, const std::string& fingerprint) {
  return folder / fmt::format("{:016x}.training", number_of(fingerprint));
}

std::filesystem::path training_lock(const std::filesystem::path& folder, const std::string& fingerprint) {
  return training_file(folder, fingerprint).replace_extension(".lock");
}

}  // namespace nouq
