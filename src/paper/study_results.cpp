#include "paper/study_results.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "paper/study.h"
#include "uq/method.h"

namespace nouq::paper {
namespace {

using Pointer = ResultJson::json_pointer;

std::string key_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

bool holds(const std::vector<std::string>& names, const ResultJson& settings, const char* key) {
  const ResultJson name = settings.value(key, ResultJson());
  return name.is_string() && std::find(names.begin(), names.end(), name.get<std::string>()) != names.end();
}

// Those whose settings are the wanted ones but for the seed.
Runs matching(const std::vector<ResultJson>& all, ResultJson wanted) {
  Runs runs;
  for (const ResultJson& result : all) {
    const ResultJson& settings = result.at("settings");
    wanted["seed"] = settings.value("seed", std::uint64_t{0});
    if (settings == wanted) runs.push_back(&result);
  }
  std::sort(runs.begin(), runs.end(),
            [](const ResultJson* a, const ResultJson* b) { return seed_of(*a) < seed_of(*b); });
  return runs;
}

double usual_strength() { return std::get<double>(MethodOptions{}.get("strength").values().front()); }

std::vector<std::uint64_t> seeds_of(const Runs& runs) {
  std::vector<std::uint64_t> seeds;
  seeds.reserve(runs.size());
  for (const ResultJson* run : runs) seeds.push_back(seed_of(*run));
  return seeds;
}

}  // namespace

const std::string& fixed_diverse() {
  static const std::string name = fmt::format("diverse (lambda = {:g})", usual_strength());
  return name;
}

StudyResults::StudyResults(std::vector<ResultJson> all, StudyOptions options, ResultJson paper)
    : all_(std::move(all)), options_(std::move(options)), paper_(std::move(paper)) {
  std::erase_if(all_, [problems = problem_names(), methods = method_names()](const ResultJson& result) {
    const ResultJson& settings = result.at("settings");
    return !holds(problems, settings, "problem") || !holds(methods, settings, "method");
  });
  outdated_ =
      std::erase_if(all_, [](const ResultJson& result) { return !options_behind(result.at("settings")); });
}

Runs StudyResults::runs(const std::string& problem, const std::string& method) const {
  if (method != fixed_diverse()) return matching(all_, result_settings(options_, {problem, 0, {}}, method));
  if (options_.grid.strength.size() < 2) return {};
  StudyOptions fixed = options_;
  fixed.grid.strength = {usual_strength()};
  const Runs found = matching(all_, result_settings(fixed, {problem, 0, {}}, "diverse"));
  return seeds_of(found) == seeds_of(runs(problem, "diverse")) ? found : Runs();
}

std::vector<std::string> StudyResults::methods(const std::string& problem) const {
  std::vector<std::string> methods;
  for (const std::string& method : method_names()) {
    if (!runs(problem, method).empty()) methods.push_back(method);
  }
  return methods;
}

std::vector<std::string> StudyResults::contenders(const std::string& problem) const {
  std::vector<std::string> contenders = methods(problem);
  if (!runs(problem, fixed_diverse()).empty()) contenders.push_back(fixed_diverse());
  return contenders;
}

std::vector<std::string> StudyResults::problems() const {
  std::vector<std::string> problems;
  for (const std::string& problem : problem_names()) {
    if (!methods(problem).empty()) problems.push_back(problem);
  }
  return problems;
}

bool StudyResults::same_seeds(const std::string& problem) const {
  std::set<std::vector<std::uint64_t>> seeds;
  for (const std::string& method : methods(problem)) seeds.insert(seeds_of(runs(problem, method)));
  return seeds.size() <= 1;
}

Cell StudyResults::paper(const std::string& part, const std::string& problem, Shift shift,
                         const std::string& method, const std::string& metric) const {
  const Pointer at("/" + part + "/" + key_of(problem) + "/" + key_of(to_string(shift)) + "/" + method + "/" +
                   metric);
  Cell cell;
  if (!paper_.is_object() || !paper_.contains(at)) return cell;
  const ResultJson& number = paper_.at(at);
  const auto part_of = [&](const char* key) {
    const ResultJson value = number.is_object() ? number.value(key, ResultJson()) : ResultJson();
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
  };
  cell.value = part_of("mean");
  cell.spread = part_of("std");
  return cell;
}

std::uint64_t seed_of(const ResultJson& result) {
  return result.at("settings").at("seed").get<std::uint64_t>();
}

std::string range_place(Shift shift, const std::string& entry) {
  return "/ranges/" + to_string(shift) + "/" + entry;
}

std::string metric_place(Shift shift, const std::string& metric, const std::string& projection) {
  return range_place(shift, "metrics/" + projection + "/" + metric);
}

std::vector<double> values_at(const Runs& runs, const std::string& place) {
  std::vector<double> values;
  const Pointer at(place);
  for (const ResultJson* run : runs) {
    if (run->contains(at) && run->at(at).is_number()) values.push_back(run->at(at).get<double>());
  }
  return values;
}

double number_at(const ResultJson& result, const std::string& place) {
  const std::vector<double> values = values_at({&result}, place);
  return values.empty() ? std::nan("") : values.front();
}

double training_seconds(const ResultJson& result) {
  const ResultJson networks = result.value("networks", ResultJson::array());
  double sum = networks.empty() ? std::nan("") : 0;
  for (const ResultJson& network : networks) sum += number_at(network, "/seconds");
  return sum;
}

Cell over_seeds(const std::vector<double>& values) {
  if (values.empty()) return {};
  double mean = 0, squares = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  if (values.size() == 1) return mean;
  return {mean, std::sqrt(squares / static_cast<double>(values.size() - 1))};
}

Cell over_seeds(const Runs& runs, double (*value)(const ResultJson& run)) {
  std::vector<double> values;
  for (const ResultJson* run : runs) {
    if (const double one = value(*run); std::isfinite(one)) values.push_back(one);
  }
  if (values.empty() && !runs.empty()) return Cell("–");
  Cell cell = over_seeds(values);
  if (values.size() < runs.size()) cell.note = fmt::format("{} of {}", values.size(), runs.size());
  return cell;
}

Cell over_seeds(const Runs& runs, const std::string& place) {
  const std::vector<double> values = values_at(runs, place);
  const bool infinite = std::any_of(runs.begin(), runs.end(), [at = Pointer(place)](const ResultJson* run) {
    return run->contains(at) && run->at(at).is_null();
  });
  if (values.size() == runs.size()) return over_seeds(values);
  if (values.empty()) return infinite ? Cell("–") : Cell();
  Cell cell = over_seeds(values);
  cell.note = fmt::format("{} of {}", values.size(), runs.size());
  return cell;
}

double complete_mean(const Cell& cell) { return cell.note.empty() ? cell.value.value_or(NAN) : NAN; }

}  // namespace nouq::paper
