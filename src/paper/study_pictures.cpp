#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "paper/study_sections.h"

namespace nouq::paper {
namespace {

// Null where there is nothing.
ResultJson entry(const ResultJson& result, const std::string& place) {
  const ResultJson::json_pointer at(place);
  return result.contains(at) ? result.at(at) : ResultJson();
}

std::string picture_place(Shift shift) { return range_place(shift, "picture"); }

// The seed of which most methods have pictures: those of other seeds saw other data, and were tested on other
// samples.
std::uint64_t pictured_seed(const StudyResults& results, const std::string& problem) {
  std::map<std::uint64_t, int> pictured;
  for (const std::string& method : results.methods(problem)) {
    for (const ResultJson* run : results.runs(problem, method))
      pictured[seed_of(*run)] += entry(*run, picture_place(Shift::in_domain)).is_null() ? 0 : 1;
  }
  return std::max_element(pictured.begin(), pictured.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// The results of one seed, by method.
using RunsOfSeed = std::map<std::string, const ResultJson*>;

RunsOfSeed runs_of(const StudyResults& results, const std::string& problem, std::uint64_t seed) {
  RunsOfSeed runs;
  for (const std::string& method : results.methods(problem)) {
    for (const ResultJson* run : results.runs(problem, method)) {
      if (seed_of(*run) == seed) runs[method] = run;
    }
  }
  return runs;
}

std::optional<FieldPicture> picture_of(const ResultJson& run, const Problem& problem, Shift shift) {
  return read_field_picture(entry(run, picture_place(shift)), problem.default_grid());
}

ShownRange range_of(const RunsOfSeed& runs, const std::vector<std::string>& order, const Problem& problem,
                    Shift shift) {
  const ProblemDescription& description = problem.description();
  ShownRange range{description.name, to_string(shift), description.parameter.symbol, {}};
  for (const std::string& method : order) {
    const auto run = runs.find(method);
    if (run == runs.end()) continue;
    if (auto picture = picture_of(*run->second, problem, shift))
      range.methods.push_back({method, std::move(*picture)});
  }
  return range;
}

// Empty when there is nothing to explain.
std::string why_not_pictured(const ResultJson& run, const Problem& problem) {
  std::vector<std::string> unread;
  for (const Shift shift : all_shifts) {
    if (entry(run, picture_place(shift)).is_null())
      return "made before results kept pictures; `nouq reproduce --again` adds them where the trained "
             "networks are";
    if (!picture_of(run, problem, shift)) unread.push_back(to_string(shift));
  }
  return unread.empty() ? "" : fmt::format("what is kept for {} cannot be drawn", fmt::join(unread, ", "));
}

void add(Figure figure, std::vector<Block>& blocks) {
  if (!figure.panels.empty()) blocks.emplace_back(std::move(figure));
}

void add_missing(const RunsOfSeed& runs, const std::vector<std::string>& methods, const Problem& problem,
                 std::uint64_t seed, std::vector<Block>& blocks) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const std::string& method : methods) {
    const auto run = runs.find(method);
    const std::string reason = run == runs.end() ? fmt::format("no result of seed {}", seed)
                                                 : why_not_pictured(*run->second, problem);
    if (!reason.empty()) by_reason[reason].push_back(method);
  }
  for (const auto& [reason, names] : by_reason)
    blocks.emplace_back(Prose{fmt::format("Not pictured: {} ({}).", fmt::join(names, ", "), reason)});
}

void add_members(const RunsOfSeed& runs, const Problem& problem, std::vector<Block>& blocks) {
  const Grid& grid = problem.default_grid();
  const std::string& name = problem.description().name;
  for (const auto& [method, run] : runs) {
    const ResultJson kept = entry(*run, "/members");
    if (kept.is_null()) continue;
    const auto picture = read_member_picture(kept, grid.front().coordinates.size());
    if (!picture) {
      blocks.emplace_back(
          Prose{fmt::format("{}: what is kept of the members of {} cannot be drawn.", name, method)});
      continue;
    }
    std::vector<Figure> figures;
    for (const WeightPicture& weights : picture->weights) figures.push_back(weight_figure(weights));
    figures.push_back(feature_figure(*picture, grid));
    for (Figure& figure : figures) {
      figure.title = fmt::format("{}, {}: {}", name, method, figure.title);
      blocks.emplace_back(std::move(figure));
    }
  }
}

}  // namespace

Pictures pictures_of(const StudyResults& results, const std::string& problem) {
  const auto family = make_problem(problem);
  const std::vector<std::string> methods = results.methods(problem);
  const std::uint64_t seed = pictured_seed(results, problem);
  const RunsOfSeed runs = runs_of(results, problem, seed);
  Pictures pictures;
  add_missing(runs, methods, *family, seed, pictures.solutions);
  for (const Shift shift : all_shifts) {
    const ShownRange range = range_of(runs, methods, *family, shift);
    if (range.methods.empty()) continue;
    add(solution_figure(range), pictures.solutions);
    if (shift != Shift::in_domain) add(projected_figure(range), pictures.solutions);
  }
  add_members(runs, *family, pictures.members);
  return pictures;
}

}  // namespace nouq::paper
