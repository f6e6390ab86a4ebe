#include "report/sweep_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/study_figures.h"
#include "report/sweep_groups.h"

namespace nouq::report {
namespace {

// Settings that a name may have to tell apart, besides the method.
const std::vector<std::pair<std::string, std::string>> telling = {
    {"/count", "M = {}"},      {"/grid/width", "width {}"},         {"/grid/strength", "strength {}"},
    {"/grid/rate", "rate {}"}, {"/grid/dropout", "probability {}"}, {"/diversity", "{}"}};

std::string method_of(const Curve& curve) { return curve.settings.at("method").get<std::string>(); }

std::string text_at(const ResultJson& settings, const std::string& key) {
  const ResultJson one = single_value(settings, key);
  if (one.is_null()) return key == "/diversity" && settings.value("method", "") == "diverse" ? "weights" : "";
  return one.is_string() ? one.get<std::string>() : one.dump();
}

// The method, and whatever else is not the same in all curves.
std::string name_of(const Curve& curve, const std::vector<Curve>& curves, const std::string& swept) {
  std::string name = method_of(curve);
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

// Where the swept setting is zero there is no place on a logarithmic axis (zero_line).
Points points_of(const Curve& curve, const std::string& place) {
  Points points{.joined = true};
  for (const auto& [x, runs] : curve.at) {
    if (x <= 0) continue;
    const Cell cell = over_seeds(runs, place);
    points.x.push_back(x);
    points.y.push_back(cell.value.value_or(std::nan("")));
    points.error.push_back(seed_error(cell));
  }
  return points;
}

// The value with the setting at zero, along the whole curve.
Line zero_line(const Curve& curve, const Points& points, const std::string& place) {
  const double value = over_seeds(curve.at.at(0), place).value.value_or(std::nan(""));
  return {.name = points.name + ", at zero",
          .x = {points.x.front(), points.x.back()},
          .y = {value, value},
          .colour = points.colour,
          .stroke = Stroke::dotted};
}

// The first curve of a method has the method's colour; others, of other kinds of diversity, are broken lines.
void add_curves(const std::vector<Curve>& curves, const std::string& swept, const std::string& place,
                Panel& panel) {
  constexpr std::array strokes = {Stroke::solid, Stroke::dashed, Stroke::dotted};
  std::map<std::string, std::size_t> seen;
  for (const Curve& curve : curves) {
    const std::size_t before = seen[method_of(curve)]++;
    Points points = points_of(curve, place);
    points.name = name_of(curve, curves, swept);
    points.colour = before == 0 ? method_colour(method_of(curve)) : Colour::automatic;
    points.stroke = strokes[before % strokes.size()];
    if (curve.at.contains(0)) panel.series.emplace_back(zero_line(curve, points, place));
    panel.series.emplace_back(std::move(points));
  }
}

bool comparable(const ResultJson& settings, const ResultJson& curve) {
  const auto same = [&](const char* key) { return settings.at("grid").at(key) == curve.at("grid").at(key); };
  const bool counts = has_count(settings.at("method").get<std::string>());
  return same("width") && same("rate") && (!counts || settings.at("count") == curve.at("count"));
}

// The methods that know nothing of the swept setting, along the whole curve.
void add_baselines(const Group& group, const Curve& curve, const std::string& place, Panel& panel) {
  const auto first = curve.at.upper_bound(0);
  if (first == curve.at.end()) return;
  for (const auto& [method, settings] : by_method(group, "")) {
    const auto found = std::find_if(settings.begin(), settings.end(), [&](const Runs& runs) {
      return comparable(runs.front()->at("settings"), curve.settings);
    });
    if (method == method_of(curve) || found == settings.end()) continue;
    const double value = over_seeds(*found, place).value.value_or(std::nan(""));
    panel.series.emplace_back(Line{.name = method,
                                   .x = {first->first, curve.at.rbegin()->first},
                                   .y = {value, value},
                                   .colour = method_colour(method),
                                   .stroke = Stroke::dashed});
  }
}

// For how many ranges which value of the setting is the best: "M = 10 in 3 of 4 ranges".
std::string lowest_of(const Curve& curve, const Sweep& sweep, const ShownMetric& metric) {
  std::map<double, int> wins;
  int ranges = 0;
  for (const Shift shift : all_shifts) {
    std::map<double, double> x_of;  // by value
    for (const auto& [x, runs] : curve.at) {
      const Cell cell = over_seeds(runs, metric_place(shift, metric.name));
      if (x > 0 && cell.value && cell.note.empty()) x_of.emplace(*cell.value, x);
    }
    if (x_of.empty()) continue;
    ++wins[x_of.begin()->second];
    ++ranges;
  }
  if (ranges == 0) return "";
  const auto most = std::max_element(wins.begin(), wins.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return fmt::format("{} = {:g} in {} of {} ranges", sweep.label, most->first, most->second, ranges);
}

std::string lowest_words(const std::vector<Curve>& curves, const Sweep& sweep, const ShownMetric& metric) {
  std::vector<std::string> words;
  for (const Curve& curve : curves) {
    const std::string own = lowest_of(curve, sweep, metric);
    if (!own.empty()) words.push_back(name_of(curve, curves, sweep.key) + " at " + own);
  }
  return words.empty() ? "" : fmt::format(" Lowest {}: {}.", metric.label, fmt::join(words, "; "));
}

Figure metric_figure(const Group& group, const std::vector<Curve>& curves, const Sweep& sweep,
                     const ShownMetric& metric) {
  Figure figure{.title = fmt::format("{}: {} against {}", group.problem, metric.label, sweep.label),
                .caption = fmt::format("{} {} {} Lower is better.{}", group.words(), sweep.words, bar_words,
                                       lowest_words(curves, sweep, metric)),
                .columns = 2,
                .aspect = 0.5};
  for (const Shift shift : all_shifts) {
    const std::string place = metric_place(shift, metric.name);
    Panel panel{.title = to_string(shift),
                .x = {.label = sweep.label, .scale = Scale::log},
                .y = {.label = metric.label, .scale = metric.scale}};
    add_curves(curves, sweep.key, place, panel);
    if (sweep.key == "/grid/strength") add_baselines(group, curves.front(), place, panel);
    fit_axes(panel);
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

// What members cost: networks of an ensemble one by one, heads and masks hardly anything.
Figure operations_figure(const Group& group, const std::vector<Curve>& curves, const Sweep& sweep) {
  Panel panel{.x = {.label = sweep.label, .scale = Scale::log},
              .y = {.label = "operations of a prediction", .scale = Scale::log}};
  add_curves(curves, sweep.key, "/prediction_flops", panel);
  fit_axes(panel);
  return {.title = fmt::format("{}: operations of a prediction against {}", group.problem, sweep.label),
          .caption =
              "Products of one prediction. Every network of an ensemble costs as much as the first; "
              "heads and masks share all but the last layer.",
          .panels = {std::move(panel)},
          .aspect = 0.4};
}

}  // namespace

std::vector<Figure> sweep_figures(const std::vector<ResultJson>& all, const Sweep& sweep) {
  std::vector<Figure> figures;
  for (const Group& group : groups_of(all)) {
    const std::vector<Curve> curves = curves_of(group, sweep.key);
    if (curves.empty()) continue;
    for (const ShownMetric& metric : shown_metrics)
      figures.push_back(metric_figure(group, curves, sweep, metric));
    if (sweep.key == "/count") figures.push_back(operations_figure(group, curves, sweep));
  }
  return figures;
}

}  // namespace nouq::report
