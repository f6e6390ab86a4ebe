#include "report/sweep_figures.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "report/study_figures.h"
#include "report/sweep_groups.h"

namespace nouq::report {
namespace {

// Settings that a name may have to tell apart, besides the method.
const std::vector<std::pair<std::string, std::string>> telling = {{"/count", "M = {}"},
                                                                  {"/grid/width", "width {}"},
                                                                  {"/grid/strength", "strength {}"},
                                                                  {"/diversity", "{}"}};

std::string text_at(const ResultJson& settings, const std::string& key) {
  const ResultJson one = single_value(settings, key);
  if (one.is_null()) return key == "/diversity" && settings.value("method", "") == "diverse" ? "weights" : "";
  return one.is_string() ? one.get<std::string>() : one.dump();
}

// The method, and whatever else is not the same in all curves.
std::string name_of(const Curve& curve, const std::vector<Curve>& curves, const std::string& swept) {
  std::string name = curve.settings.at("method").get<std::string>();
  for (const auto& [key, words] : telling) {
    std::set<std::string> values;
    for (const Curve& other : curves) values.insert(text_at(other.settings, key));
    values.erase("");  // of methods that know no such thing
    const std::string own = text_at(curve.settings, key);
    if (key != swept && values.size() > 1 && !own.empty())
      name += ", " + fmt::format(fmt::runtime(words), own);
  }
  return name;
}

Points points_of(const Curve& curve, const std::string& place) {
  Points points{.joined = true};
  for (const auto& [x, runs] : curve.at) {
    const Cell cell = over_seeds(runs, place);
    points.x.push_back(x);
    points.y.push_back(cell.value.value_or(std::nan("")));
  }
  return points;
}

// The ensemble of the curve's own width and count, which knows no strength.
void add_baseline(const Group& group, const Curve& curve, const std::string& place, Panel& panel) {
  const ResultJson& grid = curve.settings.at("grid");
  Runs runs;
  for (const ResultJson* result : group.results) {
    const ResultJson& settings = result->at("settings");
    if (settings.value("method", "") == "ensemble" && settings.at("count") == curve.settings.at("count") &&
        settings.at("grid").at("width") == grid.at("width") &&
        settings.at("grid").at("rate") == grid.at("rate"))
      runs.push_back(result);
  }
  const Cell cell = over_seeds(runs, place);
  if (cell.value) panel.references.push_back({.at = *cell.value, .label = "ensemble"});
}

Figure figure_of(const Group& group, const std::vector<Curve>& curves, const Sweep& sweep,
                 const ShownMetric& metric) {
  Figure figure{.title = fmt::format("{}: {} against {}", group.problem, metric.label, sweep.label),
                .caption = fmt::format("{} {} Lower is better.", group.words(), sweep.words),
                .columns = 2,
                .aspect = 0.5};
  for (const Shift shift : all_shifts) {
    const std::string place = metric_place(shift, metric.name);
    Panel panel{.title = to_string(shift),
                .x = {.label = sweep.label, .scale = Scale::log},
                .y = {.label = metric.label, .scale = metric.scale}};
    for (const Curve& curve : curves) {
      Points points = points_of(curve, place);
      points.name = name_of(curve, curves, sweep.key);
      panel.series.emplace_back(std::move(points));
    }
    fit_axes(panel);
    if (sweep.key == "/grid/strength") add_baseline(group, curves.front(), place, panel);
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace

std::vector<Figure> sweep_figures(const std::vector<ResultJson>& all, const Sweep& sweep) {
  std::vector<Figure> figures;
  for (const Group& group : groups_of(all)) {
    const std::vector<Curve> curves = curves_of(group, sweep.key);
    if (curves.empty()) continue;
    for (const ShownMetric& metric : shown_metrics)
      figures.push_back(figure_of(group, curves, sweep, metric));
  }
  return figures;
}

}  // namespace nouq::report
