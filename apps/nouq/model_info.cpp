#include "model_info.h"

#include <cmath>

#include <fmt/ranges.h>
#include <nouq/architecture.h>
#include <nouq/train.h>

#include "core/file.h"
#include "info_entries.h"

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

Json describe_normalisation(const NormalisationInfo& normalisation) {
  if (normalisation.mean.empty()) return nullptr;
  return {{"mean", normalisation.mean}, {"deviation", normalisation.deviation}};
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

Json describe_trainings(const Model& model, std::int64_t networks) {
  Json trainings = Json::array();
  const auto& history = model.history();
  for (std::int64_t k = 0; k < networks; ++k) {
    const auto found = history.find("network." + std::to_string(k));
    const bool usual = found != history.end() && found->second.rank() == 2 && found->second.extent(0) > 0 &&
                       found->second.extent(1) == 3;
    if (usual) trainings.push_back(describe_training(found->second));
  }
  return trainings;
}

Json describe_rollout(const std::optional<RolloutInfo>& rollout) {
  if (!rollout) return nullptr;
  return {{"block", rollout->block},
          {"step", rollout->step},
          {"horizon", rollout->horizon},
          {"closed", rollout->closed},
          {"band_coverage", rollout->band_coverage}};
}

Json describe(const Model& model, const std::filesystem::path& path) {
  const ModelInfo info = model.info();
  return {{"file", path.string()},
          {"format", fmt::format("nouq model, version {}", info.format_version)},
          {"method", info.method},
          {"networks", info.networks},
          {"weights", info.weights},
          {"network", Json::parse(info.network)},
          {"grid", describe_grid(model.grid())},
          {"inputs", describe_channels(model.inputs(), model.input_range())},
          {"outputs", describe_channels(model.outputs(), {})},
          {"parameters", describe_channels(model.parameters(), model.parameter_range())},
          {"laws", describe_laws(model.laws())},
          {"bounds", describe_bounds(model.bounds(), model.outputs())},
          {"rollout", describe_rollout(info.rollout)},
          {"normalisation",
           {{"inputs", describe_normalisation(info.input_normalisation)},
            {"outputs", describe_normalisation(info.output_normalisation)}}},
          {"calibration", describe_calibration(info)},
          {"training", describe_trainings(model, info.networks)},
          {"state", describe_arrays(model.state())},
          {"history", describe_arrays(model.history())},
          {"facts", Json(model.facts())},
          {"fingerprint", Model::fingerprint(path.string())}};
}

std::string summary_of(const std::string& method) {
  for (const MethodInfo& info : method_list()) {
    if (info.name == method) return info.summary;
  }
  return "";
}

}  // namespace

Json describe_calibration(const ModelInfo& info) {
  Json calibration = Json::object();
  if (info.band) {
    calibration["bands"] = {{"kind", info.band->pointwise ? "pointwise" : "whole field"},
                            {"coverage", info.band->coverage}};
    if (!info.band->pointwise) calibration["bands"]["factor"] = info.band->factor;
  }
  if (info.sizing)
    calibration["sizing"] = {{"scale", info.sizing->scale},
                             {"floor", info.sizing->floor},
                             {"error", info.sizing->error},
                             {"held_out", info.sizing->held_out},
                             {"by_law", info.sizing->by_law}};
  for (const ProjectionInfo& after : info.projections)
    calibration["projections"][after.name] = {{"scale", after.scale},
                                              {"floor", after.floor},
                                              {"error", after.error},
                                              {"band_factor", after.band_factor}};
  if (!info.projections.empty()) calibration["law_spread"] = info.law_spread;
  if (info.trust && info.trust->held_out == 0)
    calibration["trust"] = {{"reference", info.trust->reference}, {"far", info.trust->far}};
  else if (info.trust)
    calibration["trust"] = {{"level", info.trust->level},
                            {"far", info.trust->far},
                            {"held_out", info.trust->held_out},
                            {"witnesses", info.trust->witnesses}};
  return calibration;
}

bool is_model_file(const std::filesystem::path& path) {
  if (path.extension() == ".nouq") return true;
  const MappedFile file(path);
  return file.bytes().size() > 8 && file.bytes()[8] == std::byte{'{'};
}

void show_model(const std::filesystem::path& path, const Output& output) {
  const Json about = describe(Model::load(path.string()), path);
  if (!output.json()) print_model(about, output);
  output.result(about);
}

// ---- The description as a page of text ----

namespace {

std::string network_text(const Json& about) {
  const Json& network = about["network"];
  std::string modes;
  for (const Json& count : network["modes"])
    modes += (modes.empty() ? "" : " x ") + std::to_string(count.get<Index>());
  const auto networks = about["networks"].get<Index>();
  const double dropout = network["dropout"].get<double>();
  return fmt::format("{}{} of width {}, blocks {}, modes {}, outputs {}, weights {}{}",
                     networks == 1 ? "" : fmt::format("{} networks, each ", networks),
                     network.value("architecture", NetworkOptions{}.architecture),
                     network["width"].get<Index>(), network["blocks"].get<Index>(), modes,
                     network["outputs"].get<Index>(), about["weights"].get<Index>(),
                     dropout > 0 ? fmt::format(", dropout {}", dropout) : "");
}

void print_normalisation(const Output& output, const Json& normalisation) {
  std::string first = "normalised";
  for (const char* side : {"inputs", "outputs"}) {
    if (normalisation[side].is_null()) continue;
    const auto mean = normalisation[side]["mean"].get<std::vector<double>>();
    const auto deviation = normalisation[side]["deviation"].get<std::vector<double>>();
    print_fact(output, first,
               fmt::format("{}: mean {:.4g}, deviation {:.4g}", side, fmt::join(mean, ", "),
                           fmt::join(deviation, ", ")));
    first.clear();
  }
  if (!first.empty()) print_fact(output, first, "no");
}

void print_training(const Output& output, const Json& trainings) {
  std::string first = "training";
  std::size_t number = 0;
  for (const Json& training : trainings) {
    const std::string which = trainings.size() == 1 ? "" : fmt::format("network {}: ", number++);
    print_fact(
        output, first,
        fmt::format("{}{} epochs, best at {}: training loss {:.3g}, validation loss {:.3g} ({:.3g} after the "
                    "first)",
                    which, training["epochs"].get<Index>(), training["best_epoch"].get<Index>(),
                    training["training_loss"].get<double>(), training["validation_loss"].get<double>(),
                    training["first_validation_loss"].get<double>()));
    first.clear();
  }
}

// Of the projections that are no baselines.
void print_projections(const Json& calibration, const Output& output) {
  if (!calibration.contains("projections")) return;
  const Json& projections = calibration["projections"];
  std::string first = "projection";
  for (const char* name : {"bounded", "diagonal", "low-rank"}) {
    if (!projections.contains(name)) continue;
    const auto scale = projections[name]["scale"].get<std::vector<double>>();
    const double factor = projections[name]["band_factor"].get<double>();
    std::string text = fmt::format("{}: variance after it times {:.3g}", name, fmt::join(scale, ", "));
    if (factor > 0) text += fmt::format(", band +- {:.3g} sigma", factor);
    const double power = calibration["law_spread"].get<double>();
    if (name == std::string("bounded"))
      text += power == 0 ? "; spread evenly" : fmt::format("; spread by sigma^{}", power);
    print_fact(output, first, text);
    first.clear();
  }
}

// The settings of each training are a page of JSON: they are left to --json.
Json short_facts(const Json& facts) {
  Json some = Json::object();
  for (const auto& [name, text] : facts.items()) {
    if (!name.starts_with("training.")) some[name] = text;
  }
  return some;
}

std::string trust_text(const Json& trust) {
  const auto far = trust["far"].get<double>();
  if (trust.contains("reference")) {
    const auto reference = trust["reference"].get<double>();
    return fmt::format("a relative spread above {:.3g} is doubtful, above {:.3g} out of domain", reference,
                       reference * far);
  }
  return fmt::format(
      "by {}, on {} held-out samples: above 1 doubtful (a false alarm for {:.2g} % of inputs like "
      "those of training), above {:.3g} out of domain",
      fmt::join(trust["witnesses"].get<std::vector<std::string>>(), ", "), trust["held_out"].get<Index>(),
      100 * (1 - trust["level"].get<double>()), far);
}

}  // namespace

void print_calibration(const Json& calibration, const Output& output) {
  if (calibration.contains("sizing")) {
    const Json& sizing = calibration["sizing"];
    std::vector<std::string> scales;
    for (std::size_t c = 0; c < sizing["scale"].size(); ++c)
      scales.push_back(fmt::format("{:.3g} +- {:.1g}", sizing["scale"][c].get<double>(),
                                   sizing["error"][c].get<double>()));
    print_fact(output, "sigma",
               fmt::format("sized by {} held-out samples: variance times {}{}",
                           sizing["held_out"].get<Index>(), fmt::join(scales, ", "),
                           sizing["by_law"].get<bool>() ? "; larger where the law is violated" : ""));
  }
  if (calibration.contains("bands")) {
    const Json& bands = calibration["bands"];
    print_fact(output, "bands",
               bands.contains("factor")
                   ? fmt::format("mean +- {:.3g} sigma contain a whole field with probability {}",
                                 bands["factor"].get<double>(), bands["coverage"].get<double>())
                   : fmt::format("at every point the band contains the value with probability {}",
                                 bands["coverage"].get<double>()));
  }
  print_projections(calibration, output);
  if (calibration.contains("trust")) {
    print_fact(output, "trust", trust_text(calibration["trust"]));
  }
}

// What is said below of sigma, bands and trust is of one step.
std::string rollout_text(const Json& rollout) {
  const auto block = rollout["block"].get<Index>();
  const auto closed = rollout["closed"].get<std::vector<std::string>>();
  return fmt::format("applied again and again: {} of {:.6g} at a time, trained over {} of them{}",
                     block == 1 ? "one step" : fmt::format("{} steps", block), rollout["step"].get<double>(),
                     rollout["horizon"].get<Index>(),
                     closed.empty() ? "" : fmt::format("; {} stays what it is", fmt::join(closed, ", ")));
}

void print_model(const Json& about, const Output& output) {
  for (const char* part : {"file", "format"}) print_fact(output, part, about[part].get<std::string>());
  const auto method = about["method"].get<std::string>();
  print_fact(output, "method", fmt::format("{}: {}", method, summary_of(method)));
  print_fact(output, "network", network_text(about));
  for (const char* part : {"grid", "inputs", "outputs", "parameters", "laws", "bounds"})
    print_entries(output, part, about[part]);
  if (!about["rollout"].is_null()) print_fact(output, "roll-out", rollout_text(about["rollout"]));
  print_normalisation(output, about["normalisation"]);
  print_calibration(about["calibration"], output);
  print_training(output, about["training"]);
  print_texts(output, "facts", short_facts(about["facts"]));
  print_fact(output, "fingerprint", about["fingerprint"].get<std::string>());
}

}  // namespace nouq::cli
