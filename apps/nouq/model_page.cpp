#include "model_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "sample_table.h"

namespace nouq::cli {
namespace {

// Whether the law has one row for each time, so that it can be drawn as a curve over it.
bool has_law_at_every_time(const DataSet& data) {
  const Axis& last = data.grid.back();
  return last.name == "t" && Constraints::of(data).rows() == last.size();
}

std::vector<std::string> projections_for(const std::vector<TestSet>& sets, const ModelPageOptions& options) {
  const bool law = std::all_of(sets.begin(), sets.end(),
                               [](const TestSet& s) { return Constraints::of(s.data).rows() > 0; });
  if (!law || options.projection == "none") return {"none"};
  std::vector<std::string> list = {"none", "diagonal"};
  if (options.projection != "diagonal") list.push_back(options.projection);
  return list;
}

plot::Section numbers(const Model& model, const std::vector<TestSet>& sets,
                      const std::vector<std::string>& kinds, int threads) {
  EvaluationChoice choice;
  choice.projections = kinds;
  choice.threads = threads;
  plot::Table table = evaluation_table(model, sets, choice);
  table.caption = "Lower is better for all metrics but coverage (nominal 0.95).";
  const ModelInfo info = model.info();
  if (info.band)
    table.caption +=
        fmt::format(" 'band coverage' is that of the bands, calibrated for {}.", info.band->coverage);
  if (info.has_trust)
    table.caption += " 'flagged' is the share of samples that the trust score does not call in-domain.";
  if (info.has_trust && sets.size() > 1)
    table.caption +=
        " 'trust AUROC' says how well the trust score tells the set from the first one (1: perfectly).";
  if (info.trust && info.trust->witnesses.size() > 1)
    table.caption += " 'by ...' is the share for which that witness alone says more than usual.";
  return {"How good is it?", {table}, "numbers"};
}

plot::Section samples(const Model& model, const std::vector<TestSet>& sets, int threads) {
  constexpr std::size_t most = 10;
  plot::Table table = sample_table(model, sets, threads, most);
  table.caption = fmt::format(
      "Of each set the {} samples with the largest errors. Where 'sigma / error' is far below 1 the model did not "
      "know; 'nouq evaluate --per-sample' writes all samples.",
      most);
  return {"Which samples are worst?", {table}, "samples"};
}

plot::Section settings(const Model& model) {
  plot::Settings facts{"Settings and data", {}, "settings"};
  const ModelInfo info = model.info();
  facts.values.emplace_back("method", info.method);
  facts.values.emplace_back("networks", std::to_string(info.networks));
  facts.values.emplace_back("architecture", info.architecture);
  facts.values.emplace_back("width", std::to_string(info.width));
  for (const auto& [key, value] : model.facts()) facts.values.emplace_back(key, value);
  return {"Settings", {facts}, "facts"};
}

}  // namespace

plot::Page model_page(const Model& model, const std::vector<TestSet>& sets, const ModelPageOptions& options) {
  require(!sets.empty(), "a model report without test data");
  const std::vector<std::string> kinds = projections_for(sets, options);
  std::vector<ShownSet> shown;
  shown.reserve(sets.size());
  for (const TestSet& set : sets)
    shown.push_back(with_source(set.label, [&] { return show(model, set, kinds.back(), options.threads); }));
  plot::Page page{
      .title = options.title,
      .summary = fmt::format("A {} surrogate on {} test sets: its error, its own uncertainty, and whether it "
                             "notices when it is asked outside its training data.",
                             model.info().method, sets.size())};
  page.sections.push_back(numbers(model, sets, kinds, options.threads));
  plot::Section solutions{"What do predictions look like?", {}, "solutions"};
  for (const ShownSet& one : shown) solutions.blocks.emplace_back(solution_figure(model, one));
  const auto& first = std::get<plot::Figure>(solutions.blocks.front());
  const bool mapped =
      plot::heat_map_of(first.panels.front()) != nullptr;  // errors and uncertainties are among them
  page.sections.push_back(std::move(solutions));
  if (model.grid().size() == 2 && !mapped) {
    plot::Section maps{"Where is it wrong, and does it know?", {}, "maps"};
    for (const ShownSet& one : shown) maps.blocks.emplace_back(error_figure(model, one));
    page.sections.push_back(std::move(maps));
  }
  const bool over_time =
      std::all_of(sets.begin(), sets.end(), [](const TestSet& s) { return has_law_at_every_time(s.data); });
  if (kinds.size() > 1 && over_time)
    page.sections.push_back({"Is mass conserved?", {mass_figure(shown)}, "mass"});
  if (model.info().has_trust)
    page.sections.push_back(
        {"Can it be trusted?", {trust_figure(model, shown), trust_reasons(model, shown)}, "trust"});
  page.sections.push_back(samples(model, sets, options.threads));
  if (!model.history().empty())
    page.sections.push_back({"How was it trained?", {training_figure(model)}, "training"});
  page.sections.push_back(settings(model));
  return page;
}

}  // namespace nouq::cli
