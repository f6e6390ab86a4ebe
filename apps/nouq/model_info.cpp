#include "model_info.h"

#include <cmath>

#include "core/file.h"
#include "info_entries.h"
#include "model/model_file.h"
#include "physics/physics.h"
#include "train/fingerprint.h"
#include "uq/conformal.h"
#include "uq/trust.h"

namespace nouq::cli {
namespace {

// Channels or parameters, with their range in the training data where it is known.
Json describe_channels(const std::vector<Channel>& channels, const Array<double>& ranges) {
  Json list = Json::array();
  for (std::size_t c = 0; c < channels.size(); ++c) {
    Json entry = {{"name", channels[c].name}, {"unit", channels[c].unit}};
    if (!ranges.empty()) {
      entry["low"] = ranges[2 * static_cast<Index>(c)];
      entry["high"] = ranges[2 * static_cast<Index>(c) + 1];
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json describe_normalisation(const Normalisation& normalisation) {
  if (normalisation.is_none()) return nullptr;
  return {{"mean", normalisation.mean()}, {"deviation", normalisation.deviation()}};
}

Json describe_arrays(const std::map<std::string, Array<double>>& arrays) {
  Json all = Json::object();
  for (const auto& [name, values] : arrays)
    all[name] = {{"shape", values.shape()}, {"values", std::vector<double>(values.begin(), values.end())}};
  return all;
}

// The epoch whose weights were kept: the lowest validation loss, or training loss where there is no other.
Json describe_training(const Array<double>& history) {
  const Index epochs = history.extent(0);
  Index best = 0;
  const auto loss = [&](Index epoch) {
    const double validation = history[3 * epoch + 1];
    return std::isfinite(validation) ? validation : history[3 * epoch];
  };
  for (Index epoch = 1; epoch < epochs; ++epoch) best = loss(epoch) < loss(best) ? epoch : best;
  return {{"epochs", epochs},
          {"best_epoch", best + 1},
          {"training_loss", history[3 * best]},
          {"validation_loss", history[3 * best + 1]},
          {"first_validation_loss", history[1]},
          {"last_rate", history[3 * epochs - 1]}};
}

Json describe_trainings(const Surrogate& surrogate) {
  Json trainings = Json::array();
  for (std::size_t k = 0; k < surrogate.weights.size(); ++k) {
    const auto found = surrogate.history.find("network." + std::to_string(k));
    const bool usual = found != surrogate.history.end() && found->second.rank() == 2 &&
                       found->second.extent(0) > 0 && found->second.extent(1) == 3;
    if (usual) trainings.push_back(describe_training(found->second));
  }
  return trainings;
}

Json describe(const Surrogate& surrogate, const std::filesystem::path& path) {
  return {{"file", path.string()},
          {"format", fmt::format("nouq model, version {}", format_version_of(surrogate))},
          {"method", surrogate.method},
          {"networks", surrogate.weights.size()},
          {"weights", surrogate.weights.front().size()},
          {"network", nouq::describe(surrogate.network)},
          {"grid", describe_grid(surrogate.grid)},
          {"inputs", describe_channels(surrogate.input_channels, surrogate.input_range)},
          {"outputs", describe_channels(surrogate.output_channels, {})},
          {"parameters", describe_channels(surrogate.parameter_names, surrogate.parameter_range)},
          {"laws", describe_laws(laws_of(surrogate))},
          {"bounds", describe_bounds(surrogate.bounds, surrogate.output_channels)},
          {"normalisation",
           {{"inputs", describe_normalisation(surrogate.input_normalisation)},
            {"outputs", describe_normalisation(surrogate.output_normalisation)}}},
          {"calibration", describe_calibration(surrogate)},
          {"training", describe_trainings(surrogate)},
          {"state", describe_arrays(surrogate.state)},
          {"history", describe_arrays(surrogate.history)},
          {"facts", Json(surrogate.facts)},
          {"fingerprint", model_fingerprint(path)}};
}

}  // namespace

Json describe_calibration(const Surrogate& surrogate) {
  Json calibration = Json::object();
  if (has_conformal(surrogate)) {
    const Conformal bands = conformal_of(surrogate);
    const bool whole = bands.kind() == ConformalKind::whole_field;
    calibration["bands"] = {{"kind", whole ? "whole field" : "pointwise"}, {"coverage", bands.coverage}};
    if (whole) calibration["bands"]["factor"] = bands.factor[0];
  }
  if (has_trust(surrogate))
    calibration["trust"] = {{"reference", state_number(surrogate, "trust.reference")},
                            {"far", state_number(surrogate, "trust.far")}};
  return calibration;
}

bool is_model_file(const std::filesystem::path& path) {
  if (path.extension() == ".nouq") return true;
  const MappedFile file(path);
  return file.bytes().size() > 8 && file.bytes()[8] == std::byte{'{'};
}

void show_model(const std::filesystem::path& path, const Output& output) {
  const Json about = describe(load_model(path), path);
  if (!output.json()) print_model(about, output);
  output.result(about);
}

}  // namespace nouq::cli
