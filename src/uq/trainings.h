// Trains many networks: members of an ensemble, trials of a selection, a whole study at once.
//
// Why: two networks on one core each are faster than one network on two cores, and give the same bits. When
// there are fewer networks than threads, each gets several. Equal settings are trained once, whoever asks.
// Contract: all settings are checked before the first network starts; when one fails, the others stop at
// their next step, and the error says which. With a `folder`, each training keeps its checkpoint there under
// the hash of its settings and data; a finished one is found again, an interrupted one goes on where it was,
// and others' are left alone. Processes that share a folder (`shared`) share the work: each takes networks
// that no other is at. The ranks of a job train one plan together; only the process that leads
// (core/communicator.h) gets the networks back.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "core/communicator.h"
#include "train/trainer.h"

namespace nouq {

struct TrainedNetwork {
  std::vector<float> weights;  // the best
  std::vector<EpochRecord> history;
  Index best_epoch = -1;
  std::string fingerprint;
  std::string error;  // why it diverged, when that was tolerated; the weights are then the best before
};

// Called from several threads, but never by two at once, except where it says so.
class FitObserver {
 public:
  virtual ~FitObserver() = default;
  // These trainings will run, of at most `epochs` epochs each. costs: of an epoch, one per network, in
  // operations, so that observers can tell how much is left.
  virtual void on_start(std::span<const double> /*costs*/, Index /*epochs*/) {}
  virtual void on_resume(Index /*network*/, Index /*next_epoch*/) {}
  virtual void on_epoch(Index /*network*/, const EpochRecord& /*record*/, Index /*best_epoch*/) {}
  virtual void on_finish(Index /*network*/) {}
  // After on_finish, from the thread that trained the network, and by several at once: it may take its time.
  virtual void on_released(const std::string& /*fingerprint*/) {}
  virtual bool should_stop() { return false; }
};

struct TrainingsOptions {
  int threads = 0;  // for all networks together; 0: all cores
  std::filesystem::path folder;
  Index checkpoint_period = 1;       // epochs
  double checkpoint_seconds = 0;     // at least, between two
  bool any_processor = false;        // as in TrainerOptions
  bool tolerate_divergence = false;  // record the error with the network instead of throwing it
  bool shared = false;       // with other processes: each network in the folder is trained by one of them
  bool weights_back = true;  // false: they stay in the folder, and the networks come back without
  // Over these, or, in a part, its share of them; needs a folder. nullptr: all in this process.
  Communicator* ranks = nullptr;
};

// One network to be trained, and on what.
struct Training {
  TrainerOptions options;
  const ScaledData* train = nullptr;
  const ScaledData* validation = nullptr;
};

// In the order asked for. nullopt: the observer asked to stop. The options' own checkpoint and threads are
// not used. Observers are told of each different network once, by its place among the different ones.
std::optional<std::vector<TrainedNetwork>> run_trainings(std::span<const Training> wanted,
                                                         const TrainingsOptions& options,
                                                         FitObserver* observer = nullptr);
// The same, all on the same data.
std::optional<std::vector<TrainedNetwork>> run_trainings(std::span<const TrainerOptions> wanted,
                                                         const ScaledData& train,
                                                         const ScaledData& validation,
                                                         const TrainingsOptions& options,
                                                         FitObserver* observer = nullptr);

// Where the checkpoint of a training lies in the folder, and what is locked by the process that is at it.
std::filesystem::path training_file(const std::filesystem::path& folder, const std::string& fingerprint);
std::filesystem::path training_lock(const std::filesystem::path& folder, const std::string& fingerprint);

}  // namespace nouq
