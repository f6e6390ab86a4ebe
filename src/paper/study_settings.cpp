#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "paper/study_sections.h"
#include "plot/typesetting.h"

namespace nouq::paper {
namespace {

std::string settings_id(const std::string& problem, const std::string& method) {
  return anchor_of("settings " + problem + " " + method);
}

// What the selection settled on, of what it had to choose from.
std::string chosen_words(const ResultJson& run) {
  const ResultJson& grid = run.at("settings").at("grid");
  std::vector<std::string> words;
  for (const ResultJson& trial : run.value("trials", ResultJson::array())) {
    if (!trial.value("chosen", false)) continue;
    for (const auto& [key, value] : trial.items()) {
      if (grid.contains(key)) words.push_back(key + " " + value.dump());
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// Once where all runs say the same, else of every seed; nothing where none says anything.
template <class Words>
void add_of_runs(const std::string& name, const Runs& runs, const Words& words, Settings& block) {
  std::set<std::string> different;
  std::vector<std::string> each;
  for (const ResultJson* run : runs) {
    const std::string own = words(*run);
    different.insert(own);
    each.push_back(fmt::format("seed {}: {}", seed_of(*run), own.empty() ? "not known" : own));
  }
  if (different == std::set<std::string>{""}) return;
  block.values.emplace_back(
      name, different.size() == 1 ? *different.begin() : fmt::format("{}", fmt::join(each, "; ")));
}

Settings settings_of(const StudyResults& results, const std::string& problem, const std::string& method) {
  const Runs runs = results.runs(problem, method);
  const ResultJson& first = *runs.front();
  Settings block{problem + ", " + method, {}, settings_id(problem, method)};
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> files, fingerprints;
  for (const ResultJson* run : runs) {
    seeds.push_back(seed_of(*run));
    files.push_back(ResultStore::name_of(run->at("settings")) + ".json");
    for (const ResultJson& network : run->value("networks", ResultJson::array()))
      fingerprints.push_back(network.at("fingerprint").get<std::string>());
  }
  for (const auto& [key, value] : first.at("settings").items()) {
    if (key != "seed")
      block.values.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  block.values.emplace_back("seeds", fmt::format("{}", fmt::join(seeds, ", ")));
  add_of_runs("chosen", runs, chosen_words, block);
  for (const std::string key : {"version", "machine"})
    add_of_runs(
        key, runs, [&](const ResultJson& run) { return run.contains(key) ? run.at(key).dump() : ""; }, block);
  block.values.emplace_back("results", fmt::format("{}", fmt::join(files, ", ")));
  if (first.contains("training"))
    block.values.emplace_back(fmt::format("training of seed {}", seed_of(first)),
                              first.at("training").dump());
  if (!fingerprints.empty())
    block.values.emplace_back("networks", fmt::format("{}", fmt::join(fingerprints, ", ")));
  return block;
}

}  // namespace

std::string settings_links(const StudyResults& results, const std::string& problem) {
  std::vector<std::string> links;
  for (const std::string& method : results.contenders(problem))
    links.push_back(fmt::format("[{}](#{})", method, settings_id(problem, method)));
  return fmt::format("Exact settings: {}.", fmt::join(links, ", "));
}

Section settings_section(const StudyResults& results) {
  Section section{"Exact settings", {}, "settings"};
  for (const std::string& problem : results.problems()) {
    for (const std::string& method : results.contenders(problem))
      section.blocks.emplace_back(settings_of(results, problem, method));
  }
  return section;
}

}  // namespace nouq::paper
