#include "report/study_pictures.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/generate.h"
#include "report/member_figures.h"
#include "report/study_solutions.h"
#include "study/trained_surrogate.h"

namespace nouq::report {
namespace {

struct Found {
  StudyCase study_case;
  std::vector<ShownMethod> methods;
  std::vector<std::pair<std::string, std::string>> missing;  // a method, and why
};

// The seed that most methods have: those of other seeds saw other data, and are shown other test samples.
std::uint64_t most_frequent_seed(const StudyResults& results, const std::string& problem) {
  std::map<std::uint64_t, int> counts;
  for (const std::string& method : results.methods(problem)) {
    for (const ResultJson* run : results.runs(problem, method)) ++counts[seed_of(*run)];
  }
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// The networks behind one method's result; throws where they are not there.
Surrogate networks_of(const StudyResults& results, const StudyCase& study_case, const std::string& method,
                      const StudyData& data, const StudyPlaces& places) {
  for (const ResultJson* run : results.runs(study_case.problem, method)) {
    if (seed_of(*run) != study_case.seed) continue;
    auto surrogate = trained_surrogate(results.options(), *run, data, places);
    require(surrogate.has_value(), "the trained networks are not there");
    return std::move(*surrogate);
  }
  fail("no result of seed {}", study_case.seed);
}

Found find_networks(const StudyResults& results, const std::string& problem, const StudyPlaces& places) {
  Found found{{problem, most_frequent_seed(results, problem), {}}, {}, {}};
  const StudyData data = study_data(results.options(), found.study_case);
  for (const std::string& method : results.methods(problem)) {
    try {
      found.methods.push_back({method, networks_of(results, found.study_case, method, data, places)});
    } catch (const Error& error) {  // a damaged file, too, is no reason to do without the page
      found.missing.emplace_back(method, error.what());
    }
  }
  return found;
}

// The reasons may quote files, so they are no prose, in which links would be links.
void add_missing(const std::string& problem, const Found& found, std::vector<Block>& blocks) {
  std::vector<std::string> methods;
  for (const auto& [method, reason] : found.missing) methods.push_back(method);
  blocks.emplace_back(Prose{fmt::format("Not pictured: {}.", fmt::join(methods, ", "))});
  blocks.emplace_back(Settings{"Why they are not pictured", found.missing, "missing-" + problem});
}

void add_members(const std::string& problem, const Found& found, int threads, std::vector<Block>& blocks) {
  const auto ensemble = std::find_if(found.methods.begin(), found.methods.end(),
                                     [](const ShownMethod& m) { return m.surrogate.weights.size() > 1; });
  if (ensemble == found.methods.end() || ensemble->surrogate.grid.size() > 2) return;
  const Surrogate& s = ensemble->surrogate;
  const auto family = make_problem(problem);
  const auto input = [&](Shift shift) {
    return generate_data_set(
               *family, {1, found.study_case.seed + test_seed_offset, family->range(shift), s.grid, threads})
        .inputs;
  };
  const Array<float> near = input(Shift::in_domain), far = input(Shift::large);
  std::vector<Figure> figures = {weight_figure(s, 0)};
  if (s.network.blocks > 1) figures.push_back(weight_figure(s, s.network.blocks - 1));
  figures.push_back(feature_figure(s, near.data(), far.data()));
  for (Figure& figure : figures) {
    figure.title = problem + ": " + figure.title;
    blocks.emplace_back(std::move(figure));
  }
}

}  // namespace

Pictures pictures_of(const StudyResults& results, const std::string& problem,
                     const StudyPageOptions& options) {
  Pictures pictures;
  if (!std::filesystem::exists(options.places.models)) {
    pictures.solutions.emplace_back(
        Prose{"Pictures of predictions need the trained networks, which are not there."});
    return pictures;
  }
  const int threads = options.places.threads;
  const Found found = find_networks(results, problem, options.places);
  if (!found.missing.empty()) add_missing(problem, found, pictures.solutions);
  if (found.methods.empty()) return pictures;
  for (const Shift shift : all_shifts) {
    const ShownRange range(found.methods, found.study_case, shift, options.samples, threads);
    pictures.solutions.emplace_back(range.solutions());
    Figure projected = shift == Shift::in_domain ? Figure{} : range.projected();
    if (!projected.panels.empty()) pictures.solutions.emplace_back(std::move(projected));
  }
  add_members(problem, found, threads, pictures.members);
  return pictures;
}

}  // namespace nouq::report
