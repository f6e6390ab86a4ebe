// What quality costs (sweep.h).
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "paper/study_figures.h"
#include "paper/sweep.h"

namespace nouq::paper {
namespace {

struct CostMeasure {
  std::string label;
  double (*of)(const ResultJson& result);
};

const std::vector<CostMeasure> cost_measures = {
    {"FLOPs of a prediction", [](const ResultJson& r) { return number_at(r, "/prediction_flops"); }},
    {"parameters", [](const ResultJson& r) { return number_at(r, "/parameters"); }},
    {"seconds of training", training_seconds}};

const ResultJson& settings_of(const Runs& runs) { return runs.front()->at("settings"); }

// 0 where the width was chosen from several.
double width_of(const Runs& runs) {
  const ResultJson width = single_value(settings_of(runs), "/grid/width");
  return width.is_number() ? width.get<double>() : 0;
}

// What most results have for M; one number for all methods, so that they can be compared.
std::string usual_count(const Group& group) {
  Runs counted;
  for (const ResultJson* result : group.results) {
    if (has_count(result->at("settings").at("method").get<std::string>())) counted.push_back(result);
  }
  return usual_value(counted, "/count");
}

// Of every method what differs in width, in its order.
ByMethod over_widths(const Group& group, const std::string& count, const std::string& strengths) {
  ByMethod all = by_method(group, strengths);
  for (auto& [method, settings] : all) {
    std::erase_if(settings, [&, counted = has_count(method)](const Runs& runs) {
      return counted && settings_of(runs).at("count").dump() != count;
    });
    std::sort(settings.begin(), settings.end(),
              [](const Runs& a, const Runs& b) { return width_of(a) < width_of(b); });
  }
  return all;
}

double mean_cost(const Runs& runs, const CostMeasure& cost) {
  return complete_mean(over_seeds(runs, cost.of));
}

// A line through the widths, each beside its point.
Points cost_points(const std::vector<Runs>& settings, const CostMeasure& cost, const std::string& place) {
  Points points;
  std::set<double> widths;
  for (const Runs& runs : settings) {
    const double x = mean_cost(runs, cost), width = width_of(runs);
    const double y = complete_mean(over_seeds(runs, place));
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    points.x.push_back(x);
    points.y.push_back(y);
    points.labels.push_back(width > 0 ? fmt::format("{:g}", width) : "");
    widths.insert(width);
  }
  points.joined = widths.size() == points.x.size() && !widths.contains(0);
  if (widths.size() < 2) points.labels.clear();
  return points;
}

// "12 %", or "11 to 13 %".
std::string percent_words(const std::vector<double>& shares) {
  const auto [low, high] = std::minmax_element(shares.begin(), shares.end());
  const auto words = [](double share) { return fmt::format("{:.0f}", 100 * share); };
  return words(*low) == words(*high) ? words(*low) + " %" : words(*low) + " to " + words(*high) + " %";
}

// What diverse takes of an ensemble's FLOPs and parameters, where both have one width, the same.
std::string share_words(const ByMethod& shown) {
  std::array<std::vector<double>, 2> shares;
  const auto of = [&](const char* method) {
    const auto found =
        std::find_if(shown.begin(), shown.end(), [&](const auto& entry) { return entry.first == method; });
    return found == shown.end() ? std::vector<Runs>() : found->second;
  };
  for (const Runs& diverse : of("diverse")) {
    for (const Runs& ensemble : of("ensemble")) {
      const bool same = width_of(diverse) > 0 && width_of(diverse) == width_of(ensemble);
      for (std::size_t c = 0; c < shares.size() && same; ++c)
        shares[c].push_back(mean_cost(diverse, cost_measures[c]) / mean_cost(ensemble, cost_measures[c]));
    }
  }
  for (auto& share : shares) std::erase_if(share, [](double value) { return !std::isfinite(value); });
  if (shares[0].empty() || shares[1].empty()) return "";
  return fmt::format(
      " At equal width and M, diverse takes {} of the FLOPs and {} of the parameters of an ensemble.",
      percent_words(shares[0]), percent_words(shares[1]));
}

// "[1.0]" is 1; of several the 10 % rule has chosen.
std::string strength_words(const std::string& strengths) {
  std::string words;
  const ResultJson list = ResultJson::parse(strengths);
  for (const ResultJson& strength : list)
    words += (words.empty() ? "" : ", ") + fmt::format("{:g}", strength.get<double>());
  return list.size() > 1 ? "chosen from " + words : words;
}

// About what only some figures have: widths beside points, and times.
std::string point_words(const Figure& figure) {
  bool widths = false, seconds = false;
  for (const Panel& panel : figure.panels) {
    seconds |= panel.x.label == cost_measures.back().label;
    for (const Series& series : panel.series) widths |= !std::get<Points>(series).labels.empty();
  }
  return std::string(widths ? " Numbers beside points are widths." : "") +
         (seconds
              ? " Seconds are those of all its networks, one after another; machines differ, and some had "
                "other work besides."
              : "");
}

}  // namespace

std::vector<Figure> cost_figures(const std::vector<ResultJson>& all, const std::vector<double>& preferred) {
  std::vector<Figure> figures;
  for (const Group& group : groups_of(all)) {
    const std::string count = usual_count(group);
    const std::string strengths = shown_strengths(group, preferred);
    const ByMethod shown = over_widths(group, count, strengths);
    Figure figure{
        .title = group.title() + ": what quality costs",
        .caption = group.words() + (count.empty() ? "" : " M = " + count + ".") +
                   (strengths.empty() ? "" : " Strength of diverse: " + strength_words(strengths) + ".") +
                   " At the medium shift. FLOPs are the multiplications and additions of one prediction." +
                   share_words(shown),
        .columns = 3};
    for (const auto& [metric, label, scale] : shown_metrics) {
      for (const CostMeasure& cost : cost_measures) {
        Panel panel{.x = {.label = cost.label, .scale = Scale::log}, .y = {.label = label, .scale = scale}};
        for (const auto& [method, settings] : shown) {
          Points points = cost_points(settings, cost, metric_place(Shift::medium, metric));
          points.name = method;
          points.colour = method_colour(method);
          if (!points.x.empty()) panel.series.emplace_back(std::move(points));
        }
        fit_axes(panel);
        if (panel.series.size() > 1) figure.panels.push_back(std::move(panel));
      }
    }
    if (figure.panels.empty()) continue;
    figure.caption += point_words(figure);
    // A row per metric: times may be missing.
    figure.columns = std::count_if(figure.panels.begin(), figure.panels.end(), [&](const Panel& panel) {
      return panel.y.label == figure.panels.front().y.label;
    });
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace nouq::paper
