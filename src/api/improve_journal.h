// What the loop with the solver has done so far, in a folder: a journal, one line for each thing that
// happened, and beside it the runs and the models it speaks of.
//
// Why lines that are only ever added: a line is written once what it speaks of is on disk, so that a process
// that ends anywhere leaves a journal that is true. The file is replaced in one step each time; it is short.
// Contract: one process at a time (a lock that the system releases). A folder with a journal of other data or
// settings is refused. Without a folder everything is in memory. Not for several threads at once.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nouq/improve.h>

#include "core/file.h"
#include "core/json_types.h"

namespace nouq {

struct PlannedPlace {
  bool check = false;  // among the places for check runs, else among the candidates
  Index place = 0;
};

class ImproveJournal {
 public:
  // `what` is the line that says what the loop works on.
  ImproveJournal(const std::filesystem::path& folder, const OrderedJson& what);

  [[nodiscard]] const std::vector<PlannedPlace>& planned() const { return planned_; }
  [[nodiscard]] Index batches() const { return batches_; }
  [[nodiscard]] Index first_of_batch() const { return first_of_batch_; }  // of the last one
  [[nodiscard]] bool is_done(Index run) const { return done_.contains(run); }
  [[nodiscard]] bool is_set_aside(Index run) const { return set_aside_.contains(run); }
  [[nodiscard]] const std::map<Index, std::string>& set_aside() const { return set_aside_; }
  [[nodiscard]] Index failed_attempts(Index run) const;
  [[nodiscard]] std::string last_failure(Index run) const;
  [[nodiscard]] const std::vector<ImproveRound>& rounds() const { return rounds_; }

  void plan(const std::vector<PlannedPlace>& batch);
  // The run's file is written first.
  void add_done(Index run, const DataSet& sample);
  void add_failure(Index run, Index attempt, const std::string& why);
  void add_set_aside(Index run);
  // Failures of these runs are forgotten: the next call tries them again.
  void forget(const std::vector<Index>& runs);
  // The model's file is written first; models before the last one go.
  void add_round(const ImproveRound& round, const Model& model);

  // Of a run that is done; of the last round.
  [[nodiscard]] DataSet sample(Index run) const;
  [[nodiscard]] Model model() const;

 private:
  void read_journal(const OrderedJson& what);
  void take(const OrderedJson& line);
  void add(const OrderedJson& line);
  [[nodiscard]] std::filesystem::path run_file(Index run) const;
  [[nodiscard]] std::filesystem::path model_file(Index round) const;

  std::filesystem::path folder_;
  std::optional<LockFile> lock_;
  std::string text_;
  std::vector<PlannedPlace> planned_;
  Index batches_ = 0, first_of_batch_ = 0;
  std::map<Index, std::string> done_;  // fingerprint
  std::map<Index, std::vector<std::string>> failures_;
  std::map<Index, std::string> set_aside_;
  std::vector<ImproveRound> rounds_;
  std::map<Index, DataSet> samples_;  // in memory
  std::optional<Model> model_;
  std::string model_fingerprint_;
};

}  // namespace nouq
