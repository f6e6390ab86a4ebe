#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "paper/sweep.h"

namespace nouq::paper {
namespace {

constexpr const char* baseline_words =
    "Dashed lines are the other methods, which know no strength, with the same width and M.";

// Where the swept setting is zero there is no place on a logarithmic axis (zero_line).
Points points_of(const Curve& curve, const std::string& place) {
  Points points{.joined = true};
  for (const auto& [x, runs] : curve.at) {
    if (x <= 0) continue;
    const Cell cell = over_seeds(runs, place);
    points.x.push_back(x);
    points.y.push_back(complete_mean(cell));
    points.error.push_back(seed_error(cell));
  }
  return points;
}

// A method's own colour; kinds of diversity other than the usual one have colours that no method has.
Colour colour_of(const Curve& curve, bool several_kinds) {
  static const std::map<std::string, Colour> kinds = {{"weights", Colour::green},
                                                      {"gradients", Colour::sky},
                                                      {"outputs", Colour::slate},
                                                      {"outputs_derivative", Colour::ink}};
  std::string name = diversity_of(curve);
  if (const std::string prefix = "standardised_"; name.starts_with(prefix)) name.erase(0, prefix.size());
  const auto kind = kinds.find(name);
  return several_kinds && kind != kinds.end() ? kind->second : method_colour(method_of(curve));
}

// Curves of one method and kind that differ in something else are broken lines.
void add_curves(const std::vector<Curve>& curves, const Sweep& sweep, const std::string& place,
                Panel& panel) {
  constexpr std::array strokes = {Stroke::solid, Stroke::dashed, Stroke::dotted};
  const bool kinds = of_several_kinds(curves);
  std::map<Colour, std::size_t> seen;
  for (const Curve& curve : curves) {
    Points points = points_of(curve, place);
    points.name = name_of(curve, curves, sweep.key);
    points.colour = colour_of(curve, kinds);
    points.stroke = strokes[seen[points.colour]++ % strokes.size()];
    if (curve.at.contains(0) && !points.x.empty())
      panel.series.emplace_back(zero_line(points, complete_mean(over_seeds(curve.at.at(0), place)),
                                          points.name + ", " + sweep.label + " = 0", points.colour));
    panel.series.emplace_back(std::move(points));
  }
}

bool comparable(const ResultJson& settings, const ResultJson& curve) {
  const auto same = [&](const char* key) { return settings.at("grid").at(key) == curve.at("grid").at(key); };
  const bool counts = has_count(settings.at("method").get<std::string>());
  return same("width") && same("rate") && (!counts || settings.at("count") == curve.at("count"));
}

Baselines baselines_of(const Group& group, const Curve& curve) {
  Baselines baselines;
  for (const auto& [method, settings] : by_method(group, "")) {
    const auto found = std::find_if(settings.begin(), settings.end(), [&](const Runs& runs) {
      return comparable(runs.front()->at("settings"), curve.settings);
    });
    if (method != method_of(curve) && found != settings.end()) baselines.emplace_back(method, *found);
  }
  return baselines;
}

// Along the whole curve.
void add_baselines(const Baselines& baselines, const Curve& curve, const std::string& place, Panel& panel) {
  const auto first = curve.at.upper_bound(0);
  if (first == curve.at.end()) return;
  for (const auto& [method, runs] : baselines) {
    const double value = complete_mean(over_seeds(runs, place));
    panel.series.emplace_back(Line{.name = method,
                                   .x = {first->first, curve.at.rbegin()->first},
                                   .y = {value, value},
                                   .colour = method_colour(method),
                                   .stroke = Stroke::dashed});
  }
}

// With the methods that know nothing of the setting, or without them.
Figure metric_figure(const Group& group, const std::vector<Curve>& curves, const Sweep& sweep,
                     const ShownMetric& metric, bool with_baselines) {
  const Baselines baselines = with_baselines ? baselines_of(group, curves.front()) : Baselines();
  Figure figure{
      .title = fmt::format("{}: {} against {}", group.title(), metric.label, sweep.label),
      .caption = fmt::format("{}{} {} {} Lower is better.{}{}", group.words(), fixed_words(curves, sweep.key),
                             with_baselines ? baseline_words : sweep.words, bar_words,
                             lowest_words(curves, baselines, sweep, metric), warm_up_words(curves, sweep)),
      .columns = 2,
      .aspect = 0.5};
  for (const Shift shift : all_shifts) {
    const std::string place = metric_place(shift, metric.name);
    Panel panel{.title = to_string(shift),
                .x = {.label = sweep.label, .scale = Scale::log},
                .y = {.label = metric.label, .scale = metric.scale}};
    add_curves(curves, sweep, place, panel);
    add_baselines(baselines, curves.front(), place, panel);
    fit_axes(panel);
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

// Of the strength two: the usual kind of diversity beside the other methods, and the kinds beside each other.
void add_metric_figures(const Group& group, const std::vector<Curve>& curves, const Sweep& sweep,
                        const ShownMetric& metric, std::vector<Figure>& figures) {
  if (sweep.key == "/grid/strength") {
    std::vector<Curve> usual;
    std::copy_if(curves.begin(), curves.end(), std::back_inserter(usual),
                 [](const Curve& curve) { return diversity_of(curve) == "weights"; });
    if (!usual.empty()) figures.push_back(metric_figure(group, usual, sweep, metric, true));
    if (!usual.empty() && !of_several_kinds(curves)) return;
  }
  figures.push_back(metric_figure(group, curves, sweep, metric, false));
  if (of_several_kinds(curves)) figures.back().title += ", by kind of diversity";
}

// What members cost: networks of an ensemble one by one, heads and masks hardly anything.
Figure operations_figure(const Group& group, const std::vector<Curve>& curves, const Sweep& sweep) {
  Panel panel{.x = {.label = sweep.label, .scale = Scale::log},
              .y = {.label = "FLOPs of a prediction", .scale = Scale::log}};
  add_curves(curves, sweep, "/prediction_flops", panel);
  fit_axes(panel);
  return {.title = fmt::format("{}: FLOPs of a prediction against {}", group.title(), sweep.label),
          .caption =
              "Multiplications and additions of one prediction. Every network of an ensemble costs as much "
              "as the first; heads and masks share all but the last layer.",
          .panels = {std::move(panel)},
          .aspect = 0.4};
}

}  // namespace

std::vector<Figure> sweep_figures(const std::vector<ResultJson>& all, const Sweep& sweep) {
  std::vector<Figure> figures;
  for (const Group& group : groups_of(all)) {
    const std::vector<Curve> curves = curves_of(group, sweep.key);
    if (curves.empty()) continue;
    for (const ShownMetric& metric : shown_metrics) add_metric_figures(group, curves, sweep, metric, figures);
    if (sweep.key == "/count") figures.push_back(operations_figure(group, curves, sweep));
  }
  return figures;
}

}  // namespace nouq::paper
