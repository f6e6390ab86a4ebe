// What quality costs (sweep_figures.h).
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/study_figures.h"
#include "report/sweep_figures.h"
#include "report/sweep_groups.h"

namespace nouq::report {
namespace {

struct Cost {
  std::string label;
  double (*of)(const ResultJson& result);
};

const std::vector<Cost> costs = {
    {"operations of a prediction", [](const ResultJson& r) { return number_at(r, "/prediction_flops"); }},
    {"parameters", [](const ResultJson& r) { return number_at(r, "/parameters"); }},
    {"seconds of training", training_seconds}};

Points cost_points(const std::vector<Runs>& settings, const Cost& cost, const std::string& place) {
  std::vector<std::array<double, 2>> points;
  for (const Runs& runs : settings) {
    double x = 0;
    for (const ResultJson* run : runs) x += cost.of(*run) / static_cast<double>(runs.size());
    const Cell cell = over_seeds(runs, place);
    if (std::isfinite(x) && cell.value) points.push_back({x, *cell.value});
  }
  std::sort(points.begin(), points.end());
  // A line where only the width varies; through all counts and widths it would be a tangle.
  std::set<std::string> counts;
  for (const Runs& runs : settings) counts.insert(runs.front()->at("settings").at("count").dump());
  Points shown{.joined = counts.size() == 1};
  for (const auto& [x, y] : points) {
    shown.x.push_back(x);
    shown.y.push_back(y);
  }
  return shown;
}

// "diverse takes 12 % of the operations and 11 % of the parameters of ensemble".
std::string share_words(const Group& group) {
  std::map<std::string, std::array<double, 2>> least;
  for (const ResultJson* result : group.results) {
    const std::string method = result->at("settings").value("method", "");
    const std::array<double, 2> own = {costs[0].of(*result), costs[1].of(*result)};
    const auto [known, is_new] = least.emplace(method, own);
    if (!is_new && own[1] < known->second[1]) known->second = own;
  }
  if (!least.contains("diverse") || !least.contains("ensemble")) return "";
  const auto& diverse = least.at("diverse");
  const auto& ensemble = least.at("ensemble");
  if (!std::isfinite(diverse[0] + ensemble[0])) return "";
  return fmt::format(
      " The smallest diverse model takes {:.0f} % of the operations and {:.0f} % of the "
      "parameters of the smallest ensemble.",
      100 * diverse[0] / ensemble[0], 100 * diverse[1] / ensemble[1]);
}

}  // namespace

std::vector<Figure> cost_figures(const std::vector<ResultJson>& all) {
  std::vector<Figure> figures;
  for (const Group& group : groups_of(all)) {
    Figure figure{.title = group.problem + ": what quality costs",
                  .caption = group.words() +
                             " At the medium shift. Operations are the products of one prediction; seconds "
                             "are those of all its networks, one after another." +
                             share_words(group),
                  .columns = 3};
    for (const auto& [metric, label, scale] : shown_metrics) {
      for (const Cost& cost : costs) {
        Panel panel{.x = {.label = cost.label, .scale = Scale::log}, .y = {.label = label, .scale = scale}};
        for (const auto& [method, settings] : by_method(group)) {
          Points points = cost_points(settings, cost, metric_place(Shift::medium, metric));
          points.name = method;
          points.colour = method_colour(method);
          if (!points.x.empty()) panel.series.emplace_back(std::move(points));
        }
        fit_axes(panel);
        if (panel.series.size() > 1) figure.panels.push_back(std::move(panel));
      }
    }
    if (!figure.panels.empty()) figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace nouq::report
