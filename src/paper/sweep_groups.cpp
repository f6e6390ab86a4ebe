#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "paper/sweep.h"
#include "uq/method.h"

namespace nouq::paper {
namespace {

using Pointer = ResultJson::json_pointer;

ResultJson without(ResultJson settings, const std::string& key) {
  const Pointer at(key);
  if (settings.contains(at)) settings.at(at.parent_pointer()).erase(at.back());
  return settings;
}

std::optional<double> swept_value(const ResultJson& settings, const std::string& key) {
  const ResultJson one = single_value(settings, key);
  return one.is_number() ? std::optional(one.get<double>()) : std::nullopt;
}

// Settings that tell results of one method apart: a number of members means nothing to one that has none.
ResultJson kind_of(const ResultJson& settings) {
  const ResultJson seedless = without(settings, "/seed");
  const bool counted = has_count(settings.at("method").get<std::string>());
  return counted ? seedless : without(seedless, "/count");
}

// Results of a method that does not count its members may be there several times, once for each count.
void add_new_seed(const ResultJson* result, Runs& runs) {
  const auto same = [&](const ResultJson* other) {
    return other->at("settings").at("seed") == result->at("settings").at("seed");
  };
  if (std::none_of(runs.begin(), runs.end(), same)) runs.push_back(result);
}

Index paper_epochs() {
  static const StudyOptions paper;
  return paper.epochs;
}

// Methods in their usual order, and of each first the usual settings.
void put_in_order(std::vector<Curve>& curves) {
  const auto place = [names = method_names()](const Curve& curve) {
    const auto method = std::find(names.begin(), names.end(), curve.settings.value("method", ""));
    return std::pair(method - names.begin(), !is_usual(curve.settings));
  };
  std::stable_sort(curves.begin(), curves.end(),
                   [&](const Curve& a, const Curve& b) { return place(a) < place(b); });
}

}  // namespace

bool has_count(const std::string& method) { return !find_method(method).count_means().empty(); }

std::string usual_value(const Runs& results, const std::string& place) {
  const Pointer at("/settings" + place);
  std::map<std::string, int> counts;
  for (const ResultJson* result : results) {
    if (result->contains(at)) ++counts[result->at(at).dump()];
  }
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto most = std::max_element(counts.begin(), counts.end(), less);
  return most == counts.end() ? "" : most->first;
}

ResultJson single_value(const ResultJson& settings, const std::string& key) {
  const Pointer at(key);
  if (!settings.contains(at)) return {};
  const ResultJson& value = settings.at(at);
  return value.is_array() && value.size() == 1 ? value.front() : value;
}

std::string Group::words() const {
  const Index epochs = settings.value("epochs", Index{0}), in_paper = paper_epochs();
  const std::string instead = epochs == in_paper ? "" : fmt::format(" instead of the paper's {}", in_paper);
  return fmt::format("{} epochs{}, {} samples, tested on {} of every range.", epochs, instead,
                     settings.value("samples", 0), settings.value("test_samples", 0));
}

std::string Group::title() const {
  const Index epochs = settings.value("epochs", Index{0});
  return epochs == paper_epochs() ? problem : fmt::format("{}, {} epochs", problem, epochs);
}

std::vector<Group> groups_of(const std::vector<ResultJson>& all) {
  std::map<std::string, Group> groups;
  for (const ResultJson& result : all) {
    ResultJson shared;
    for (const std::string key : {"problem", "epochs", "samples", "test_samples"}) {
      if (result.at("settings").contains(key)) shared[key] = result.at("settings").at(key);
    }
    Group& group = groups[shared.dump()];
    group.problem = shared.value("problem", "");
    group.settings = shared;
    group.results.push_back(&result);
  }
  std::vector<Group> sorted;
  sorted.reserve(groups.size());
  for (auto& [text, group] : groups) sorted.push_back(std::move(group));
  const auto place = [names = problem_names()](const Group& group) {
    return std::find(names.begin(), names.end(), group.problem) - names.begin();
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Group& a, const Group& b) { return place(a) < place(b); });
  return sorted;
}

std::vector<Curve> curves_of(const Group& group, const std::string& key) {
  std::map<std::string, Curve> curves;
  for (const ResultJson* result : group.results) {
    const ResultJson settings = kind_of(result->at("settings"));
    const std::optional<double> x = swept_value(settings, key);
    if (!x) continue;
    Curve& curve = curves[without(settings, key).dump()];
    curve.settings = settings;
    add_new_seed(result, curve.at[*x]);
  }
  std::vector<Curve> long_enough;
  for (auto& [text, curve] : curves) {
    if (curve.at.size() > 2) long_enough.push_back(std::move(curve));
  }
  put_in_order(long_enough);
  return long_enough;
}

std::string shown_strengths(const Group& group, const std::vector<double>& preferred) {
  const std::string wanted = ResultJson(preferred).dump();
  const auto fits = [&](const ResultJson* result) {
    const Pointer at("/settings/grid/strength");
    return result->contains(at) && result->at(at).dump() == wanted;
  };
  const bool there = std::any_of(group.results.begin(), group.results.end(), fits);
  return there ? wanted : usual_value(group.results, "/grid/strength");
}

ByMethod by_method(const Group& group, const std::string& strengths) {
  std::map<std::string, std::map<std::string, Runs>> found;
  for (const ResultJson* result : group.results) {
    const ResultJson& settings = result->at("settings");
    const ResultJson& grid = settings.at("grid");
    const bool usual = !grid.contains("strength") || grid.at("strength").dump() == strengths;
    if (!usual || !is_usual(settings)) continue;
    add_new_seed(result, found[settings.value("method", "")][kind_of(settings).dump()]);
  }
  ByMethod sorted;
  for (const std::string& method : method_names()) {
    if (!found.contains(method)) continue;
    sorted.emplace_back(method, std::vector<Runs>());
    for (auto& [text, runs] : found.at(method)) sorted.back().second.push_back(std::move(runs));
  }
  return sorted;
}

}  // namespace nouq::paper
