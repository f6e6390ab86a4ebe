#include "report/study_pictures.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/member_figures.h"
#include "report/study_solutions.h"

namespace nouq::report {
namespace {

// The seed that most methods have: those of other seeds saw other data, and were tested on other samples.
std::uint64_t most_frequent_seed(const StudyResults& results, const std::string& problem) {
  std::map<std::uint64_t, int> counts;
  for (const std::string& method : results.methods(problem)) {
    for (const ResultJson* run : results.runs(problem, method)) ++counts[seed_of(*run)];
  }
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// By method, of one seed.
std::map<std::string, const ResultJson*> runs_of(const StudyResults& results, const std::string& problem) {
  std::map<std::string, const ResultJson*> runs;
  const std::uint64_t seed = most_frequent_seed(results, problem);
  for (const std::string& method : results.methods(problem)) {
    for (const ResultJson* run : results.runs(problem, method)) {
      if (seed_of(*run) == seed) runs[method] = run;
    }
  }
  return runs;
}

// Null where there is nothing.
ResultJson entry(const ResultJson& result, const std::string& place) {
  const ResultJson::json_pointer at(place);
  return result.contains(at) ? result.at(at) : ResultJson();
}

ShownRange range_of(const std::map<std::string, const ResultJson*>& runs,
                    const std::vector<std::string>& order, const Problem& problem, Shift shift) {
  const ProblemDescription& description = problem.description();
  ShownRange range{description.name, to_string(shift), description.parameter.name, {}};
  for (const std::string& method : order) {
    const auto run = runs.find(method);
    if (run == runs.end()) continue;
    auto picture = read_field_picture(entry(*run->second, "/ranges/" + to_string(shift) + "/picture"),
                                      problem.default_grid());
    if (picture) range.methods.push_back({method, std::move(*picture)});
  }
  return range;
}

void add(Figure figure, std::vector<Block>& blocks) {
  if (!figure.panels.empty()) blocks.emplace_back(std::move(figure));
}

void add_missing(const std::vector<std::string>& methods, const ShownRange& shown,
                 std::vector<Block>& blocks) {
  std::vector<std::string> missing;
  for (const std::string& method : methods) {
    if (std::none_of(shown.methods.begin(), shown.methods.end(),
                     [&](const ShownMethod& one) { return one.name == method; }))
      missing.push_back(method);
  }
  if (missing.empty()) return;
  blocks.emplace_back(
      Prose{fmt::format("Not pictured: {}. Their results were made before results kept pictures; `nouq "
                        "reproduce --again` adds them where the trained networks are.",
                        fmt::join(missing, ", "))});
}

void add_members(const std::map<std::string, const ResultJson*>& runs, const Problem& problem,
                 std::vector<Block>& blocks) {
  const nouq::Axis axis = problem.default_grid().front();
  for (const auto& [method, run] : runs) {
    const auto picture = read_member_picture(entry(*run, "/members"), axis.coordinates.size());
    if (!picture) continue;
    std::vector<Figure> figures;
    for (const WeightPicture& weights : picture->weights) figures.push_back(weight_figure(weights));
    figures.push_back(feature_figure(*picture, axis));
    for (Figure& figure : figures) {
      figure.title = problem.description().name + ": " + figure.title;
      blocks.emplace_back(std::move(figure));
    }
  }
}

}  // namespace

Pictures pictures_of(const StudyResults& results, const std::string& problem) {
  const auto family = make_problem(problem);
  const std::vector<std::string> methods = results.methods(problem);
  const auto runs = runs_of(results, problem);
  Pictures pictures;
  for (const Shift shift : all_shifts) {
    const ShownRange range = range_of(runs, methods, *family, shift);
    if (shift == Shift::in_domain) add_missing(methods, range, pictures.solutions);
    if (range.methods.empty()) continue;
    add(solution_figure(range), pictures.solutions);
    if (shift != Shift::in_domain) add(projected_figure(range), pictures.solutions);
  }
  add_members(runs, *family, pictures.members);
  return pictures;
}

}  // namespace nouq::report
