#include "paper/result_store.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/checksum.h"
#include "core/error.h"
#include "core/file.h"
#include "core/threads.h"
#include "nn/cost.h"

namespace nouq::paper {
namespace {

// As the system names it, e.g. "AMD EPYC 7571"; "unknown" where it does not say. No name of the host.
std::string processor_name() {
  std::ifstream cpus("/proc/cpuinfo");
  for (std::string line; std::getline(cpus, line);) {
    const auto value = line.find(": ");
    if (line.starts_with("model name") && value != std::string::npos) return line.substr(value + 2);
  }
  return "unknown";
}

constexpr int deepest = 12;  // our files nest six levels at most

using Kind = bool (*)(const ResultJson& value);

bool is_text(const ResultJson& value) { return value.is_string(); }
bool is_number(const ResultJson& value) { return value.is_number(); }
bool is_number_or_null(const ResultJson& value) { return value.is_number() || value.is_null(); }
bool is_truth_value(const ResultJson& value) { return value.is_boolean(); }
bool is_seed(const ResultJson& value) { return value.is_number_unsigned(); }

// Absent, or a list of objects that all have the entry.
bool each_has(const ResultJson& result, const char* list, const char* key, Kind kind) {
  const ResultJson entries = result.value(list, ResultJson::array());
  return entries.is_array() && std::all_of(entries.begin(), entries.end(), [&](const ResultJson& entry) {
           return entry.is_object() && entry.contains(key) && kind(entry.at(key));
         });
}

// What readers of results take for granted.
bool well_formed(const ResultJson& result) {
  const std::vector<std::pair<const char*, Kind>> settings = {
      {"problem", is_text}, {"method", is_text}, {"seed", is_seed}};
  const std::vector<std::pair<const char*, Kind>> trials = {{"width", is_number},
                                                            {"rate", is_number},
                                                            {"dropout", is_number},
                                                            {"strength", is_number},
                                                            {"validation_mse", is_number_or_null},
                                                            {"chosen", is_truth_value}};
  const ResultJson& given = result.at("settings");
  return std::all_of(settings.begin(), settings.end(),
                     [&](const auto& one) {
                       return !given.contains(one.first) || one.second(given.at(one.first));
                     }) &&
         std::all_of(trials.begin(), trials.end(),
                     [&](const auto& one) { return each_has(result, "trials", one.first, one.second); }) &&
         each_has(result, "networks", "fingerprint", is_text);
}

ResultJson read_result(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto* text = reinterpret_cast<const char*>(file.bytes().data());
  const auto watch = [&](int depth, ResultJson::parse_event_t /*event*/, ResultJson& /*value*/) {
    require(depth <= deepest,
            "{}: not a result of a study (nested more than {} levels deep); move it elsewhere", path.string(),
            deepest);
    return true;
  };
  ResultJson result = ResultJson::parse(text, text + file.bytes().size(), watch, false);
  require(result.is_object() && result.contains("settings") && result["settings"].is_object() &&
              well_formed(result),
          "{}: not a result of a study; move it elsewhere", path.string());
  const std::string name = ResultStore::name_of(result["settings"]);
  require(name + ".json" == path.filename().string(),
          "{}: its name is not that of its settings ({}); was it edited?", path.string(), name);
  return result;
}

// Indented, with lists of plain values on one line each.
void write_indented(const ResultJson& value, const std::string& indent, std::string& text) {
  const auto plain = [](const ResultJson& one) { return one.is_primitive(); };
  if (value.empty() || plain(value) || (value.is_array() && std::all_of(value.begin(), value.end(), plain))) {
    text += value.dump();
    return;
  }
  const std::string inner = indent + " ";
  text += value.is_object() ? "{" : "[";
  const char* separator = "";
  for (const auto& [key, one] : value.items()) {
    text += separator + ("\n" + inner);
    if (value.is_object()) text += ResultJson(key).dump() + ": ";
    write_indented(one, inner, text);
    separator = ",";
  }
  text += "\n" + indent + (value.is_object() ? "}" : "]");
}

}  // namespace

std::string ResultStore::name_of(const ResultJson& settings) {
  const std::string text = settings.dump();
  return fmt::format("{:016x}", crc64(std::as_bytes(std::span(text)), 0));
}

std::filesystem::path ResultStore::file_of(const ResultJson& settings) const {
  return folder_ / (name_of(settings) + ".json");
}

bool ResultStore::has(const ResultJson& settings) const { return file_exists(file_of(settings)); }

void ResultStore::put(const ResultJson& settings, const ResultJson& result) const {
  ResultJson whole = {{"settings", settings}};
  for (const auto& [key, value] : result.items()) whole[key] = value;
  std::string text;
  write_indented(whole, "", text);
  make_folder(folder_, "results");
  write_file_atomically(file_of(settings), text + "\n");
}

ResultJson ResultStore::get(const ResultJson& settings) const { return read_result(file_of(settings)); }

std::vector<ResultJson> ResultStore::all() const {
  std::vector<ResultJson> results;
  if (!file_exists(folder_)) return results;
  for (const auto& path : list_files(folder_)) {
    if (path.extension() == ".json") results.push_back(read_result(path));
  }
  return results;
}

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
