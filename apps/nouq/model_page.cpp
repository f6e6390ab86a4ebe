#include "model_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "uq/conformal.h"

namespace nouq::cli {
namespace {

std::vector<std::string> projections_for(const std::vector<TestSet>& sets, const ModelPageOptions& options) {
  const bool law =
      std::all_of(sets.begin(), sets.end(), [](const TestSet& s) { return has_law_at_every_time(s.data); });
  if (!law || options.projection == "none") return {"none"};
  std::vector<std::string> list = {"none", "diagonal"};
  if (options.projection != "diagonal") list.push_back(options.projection);
  return list;
}

plot::Section numbers(const Surrogate& surrogate, const std::vector<TestSet>& sets,
                      const std::vector<std::string>& kinds, int threads) {
  EvaluationChoice choice;
  choice.projections = kinds;
  choice.threads = threads;
  plot::Table table = evaluation_table(surrogate, sets, choice);
  table.caption = "Lower is better for all metrics but coverage (nominal 0.95).";
  if (has_conformal(surrogate))
    table.caption += fmt::format(" 'band coverage' is that of the bands, calibrated for {}.",
                                 conformal_of(surrogate).coverage);
  if (has_trust(surrogate))
    table.caption += " 'flagged' is the share of samples that the trust score does not call in-domain.";
  return {"How good is it?", {table}, "numbers"};
}

plot::Section settings(const Surrogate& surrogate) {
  plot::Settings facts{"Settings and data", {}, "settings"};
  facts.values.emplace_back("method", surrogate.method);
  facts.values.emplace_back("networks", std::to_string(surrogate.weights.size()));
  facts.values.emplace_back("architecture", surrogate.network.architecture);
  facts.values.emplace_back("width", std::to_string(surrogate.network.width));
  for (const auto& [key, value] : surrogate.facts) facts.values.emplace_back(key, value);
  return {"Settings", {facts}, "facts"};
}

}  // namespace

plot::Page model_page(const Surrogate& surrogate, const std::vector<TestSet>& sets,
                      const ModelPageOptions& options) {
  require(!sets.empty(), "a model report without test data");
  const std::vector<std::string> kinds = projections_for(sets, options);
  std::vector<ShownSet> shown;
  shown.reserve(sets.size());
  for (const TestSet& set : sets)
    shown.push_back(
        with_source(set.label, [&] { return show(surrogate, set, kinds.back(), options.threads); }));
  plot::Page page{
      .title = options.title,
      .summary = fmt::format("A {} surrogate on {} test sets: its error, its own uncertainty, and whether it "
                             "notices when it is asked outside its training data.",
                             surrogate.method, sets.size())};
  page.sections.push_back(numbers(surrogate, sets, kinds, options.threads));
  plot::Section solutions{"What do predictions look like?", {}, "solutions"};
  for (const ShownSet& one : shown) solutions.blocks.emplace_back(solution_figure(surrogate, one));
  const auto& first = std::get<plot::Figure>(solutions.blocks.front());
  const bool mapped =
      plot::heat_map_of(first.panels.front()) != nullptr;  // errors and uncertainties are among them
  page.sections.push_back(std::move(solutions));
  if (surrogate.grid.size() == 2 && !mapped) {
    plot::Section maps{"Where is it wrong, and does it know?", {}, "maps"};
    for (const ShownSet& one : shown) maps.blocks.emplace_back(error_figure(surrogate, one));
    page.sections.push_back(std::move(maps));
  }
  if (kinds.size() > 1) page.sections.push_back({"Is mass conserved?", {mass_figure(shown)}, "mass"});
  if (has_trust(surrogate))
    page.sections.push_back({"Can it be trusted?", {trust_figure(surrogate, shown)}, "trust"});
  if (!surrogate.history.empty())
    page.sections.push_back({"How was it trained?", {training_figure(surrogate)}, "training"});
  page.sections.push_back(settings(surrogate));
  return page;
}

}  // namespace nouq::cli
