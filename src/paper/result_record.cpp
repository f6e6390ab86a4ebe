#include "paper/result_record.h"

#include <algorithm>
#include <cmath>

#include "core/machine.h"
#include "core/threads.h"
#include "nn/cost.h"

namespace nouq::paper {
namespace {

ResultJson number_or_null(double value) { return std::isfinite(value) ? ResultJson(value) : ResultJson(); }

double seconds_of(std::span<const TrainedNetwork> networks) {
  double sum = 0;
  for (const TrainedNetwork& network : networks) {
    if (network.history.empty()) return std::nan("");
    for (const EpochRecord& epoch : network.history) sum += epoch.seconds;
  }
  return sum;
}

ResultJson trial_json(const Trial& trial, std::span<const TrainedNetwork> networks, bool chosen) {
  ResultJson json = {
      {"width", trial.width},
      {"rate", trial.rate},
      {"dropout", trial.dropout},
      {"strength", trial.strength},
      {"chosen", chosen},
      {"validation_mse", trial.error.empty() ? number_or_null(trial.validation_mse) : ResultJson()},
      {"seconds", number_or_null(seconds_of(networks))}};
  if (!trial.error.empty()) json["error"] = trial.error;
  return json;
}

// The fingerprint is the name of the network's file in the folder of models.
ResultJson networks_json(std::span<const TrainedNetwork> networks) {
  ResultJson list = ResultJson::array();
  for (const TrainedNetwork& network : networks)
    list.push_back({{"fingerprint", training_file("", network.fingerprint).stem().string()},
                    {"epochs", network.history.size()},
                    {"best_epoch", network.best_epoch + 1},
                    {"seconds", number_or_null(seconds_of({&network, 1}))}});
  return list;
}

// Losses twenty times along the training; the curve's shape is what a reader wants.
ResultJson history_json(const Surrogate& surrogate) {
  ResultJson curves;
  for (const auto& [network, history] : surrogate.history) {
    const Index epochs = history.extent(0), step = std::max<Index>(1, epochs / 20);
    ResultJson curve = ResultJson::array();
    for (Index e = step - 1; e < epochs; e += step)
      curve.push_back({e + 1, history[3 * e], history[3 * e + 1]});
    curves[network] = std::move(curve);
  }
  return curves;
}

}  // namespace

double prediction_flops(const Surrogate& surrogate) {
  const Cost cost = cost_of(surrogate.network, shape_of(surrogate.grid), 1);
  double flops = static_cast<double>(surrogate.weights.size()) * cost.forward_flops;
  // Masks share the trunk and the features; the posterior's variance is as many products as its mean.
  if (surrogate.method == "dropout")
    flops += (state_number(surrogate, "dropout.masks") - 1) * cost.output_flops;
  if (surrogate.method == "bayesian") flops += cost.output_flops;
  return flops;
}

ResultJson record_of(const Selection& selection, std::span<const TrainedNetwork> networks) {
  const std::size_t per_trial = networks.size() / selection.trials.size();
  const auto own = [&](std::size_t trial) { return networks.subspan(trial * per_trial, per_trial); };
  const Surrogate& surrogate = selection.surrogate;
  ResultJson trials = ResultJson::array();
  for (std::size_t t = 0; t < selection.trials.size(); ++t)
    trials.push_back(trial_json(selection.trials[t], own(t), t == selection.chosen));
  return {{"version", NOUQ_VERSION},
          {"machine", {{"processor", processor_name()}, {"threads", available_threads()}}},
          {"trials", std::move(trials)},
          {"parameters", surrogate.weights.size() * surrogate.weights.front().size()},
          {"prediction_flops", prediction_flops(surrogate)},
          // Members of an ensemble differ in their seed alone.
          {"training", ResultJson::parse(own(selection.chosen).front().fingerprint)},
          {"normalised", !surrogate.output_normalisation.is_none()},
          {"networks", networks_json(own(selection.chosen))},
          {"history", history_json(surrogate)}};
}

}  // namespace nouq::paper
