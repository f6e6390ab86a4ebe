// Results of a study: one JSON file per run, named by the hash of its full settings.
//
// Why: results are kept in git, merged from several machines, and read by people. Contract: a result is
// written in one step and never half; the same settings give the same name; files that are not results
// (another ending) are left alone.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/json_types.h"
#include "uq/selection.h"

namespace nouq::paper {

using ResultJson = OrderedJson;

class ResultStore {
 public:
  // A folder that is not there is an empty store, and made when something is put into it.
  explicit ResultStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  static std::string name_of(const ResultJson& settings);  // 16 hexadecimal digits
  [[nodiscard]] bool has(const ResultJson& settings) const;
  // Written as {"settings": ..., then the entries of `result`}.
  void put(const ResultJson& settings, const ResultJson& result) const;
  // Throws when it is not there, or not what `put` writes.
  [[nodiscard]] ResultJson get(const ResultJson& settings) const;
  // All results, sorted by name. Throws on a file that is not what `put` writes, naming it.
  [[nodiscard]] std::vector<ResultJson> all() const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const ResultJson& settings) const;

  std::filesystem::path folder_;
};

// ---- How a result came about: what a file of the store says besides the metrics ----
//
// Why: a number is worth little without the version, the machine, the networks and the time behind it.
// Contract: seconds are wall time of the epochs, summed over all processes that worked on a network, as its
// checkpoint kept them; null when some epoch's time is not known. Epochs are counted from 1.

// `networks` are those of all trials, in the order of selection_trainings().
ResultJson record_of(const Selection& selection, std::span<const TrainedNetwork> networks);

// Floating-point operations of predicting one sample: products only (nn/cost.h).
double prediction_flops(const Surrogate& surrogate);

}  // namespace nouq::paper
