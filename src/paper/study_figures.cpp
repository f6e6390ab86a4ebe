#include "paper/study_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plot/axes.h"

namespace nouq::paper {
namespace {

// What one method has at one range: ours and the paper's.
struct Pair {
  Cell ours, paper;
};
using Measured = std::function<Pair(const std::string& problem, const std::string& method, Shift shift)>;

plot::Axis shift_axis() {
  plot::Axis axis;
  for (const Shift shift : all_shifts) axis.categories.push_back(to_string(shift));
  return axis;
}

void add_curve(const Measured& measured, const std::string& problem, const std::string& method,
               Panel& panel) {
  Points ours{.name = method, .colour = method_colour(method), .joined = true};
  Line paper{.colour = method_colour(method), .stroke = Stroke::dashed};
  for (const Shift shift : all_shifts) {
    const Pair pair = measured(problem, method, shift);
    const auto x = static_cast<double>(shift);
    ours.x.push_back(x);
    paper.x.push_back(x);
    ours.y.push_back(complete_mean(pair.ours));
    ours.error.push_back(seed_error(pair.ours));
    paper.y.push_back(complete_mean(pair.paper));
  }
  const auto finite = [](double v) { return std::isfinite(v); };
  if (std::any_of(paper.y.begin(), paper.y.end(), finite)) panel.series.emplace_back(std::move(paper));
  if (std::any_of(ours.y.begin(), ours.y.end(), finite)) panel.series.emplace_back(std::move(ours));
}

// Curves of the paper have no names of their own: one entry of the legend serves them all.
void explain_paper(std::vector<Panel>& panels) {
  for (Panel& panel : panels) {
    const bool has_paper = std::any_of(panel.series.begin(), panel.series.end(), [](const Series& series) {
      return std::holds_alternative<Line>(series);
    });
    if (!has_paper) continue;
    panel.series.emplace_back(
        Line{.name = "paper", .x = {0}, .y = {NAN}, .colour = Colour::muted, .stroke = Stroke::dashed});
    return;
  }
}

// A panel per problem that has something, with a line per method over the ranges.
std::vector<Panel> shift_panels(const StudyResults& results, const plot::Axis& y, const Measured& measured) {
  std::vector<Panel> panels;
  for (const std::string& problem : results.problems()) {
    Panel panel{.title = problem, .x = shift_axis(), .y = y};
    for (const std::string& method : results.methods(problem)) add_curve(measured, problem, method, panel);
    if (!panel.series.empty()) panels.push_back(std::move(panel));
  }
  explain_paper(panels);
  return panels;
}

// "ensemble is lowest in 8 of 15 shifted cases, diverse in 5".
std::string who_is_lowest(const StudyResults& results, const Measured& measured) {
  std::map<std::string, int> wins;
  int cases = 0;
  for (const std::string& problem : results.problems()) {
    if (results.methods(problem).size() < 2 || !results.same_seeds(problem)) continue;
    for (const Shift shift : shifted) {
      std::string best;
      double least = std::numeric_limits<double>::infinity();
      for (const std::string& method : results.methods(problem)) {
        const double value = complete_mean(measured(problem, method, shift).ours);
        if (!(value < least)) continue;
        least = value;
        best = method;
      }
      if (best.empty()) continue;
      ++wins[best];
      ++cases;
    }
  }
  std::vector<std::string> words;
  for (const std::string& method : method_names()) {
    if (wins.contains(method)) words.push_back(fmt::format("{} {}", method, wins.at(method)));
  }
  return cases == 0 ? "" : fmt::format(" Lowest in the {} shifted cases: {}.", cases, fmt::join(words, ", "));
}

// Of means over the same seeds.
Cell ratio_of(const Cell& after, const Cell& before) {
  const double ratio = complete_mean(after) / complete_mean(before);
  return std::isfinite(ratio) ? Cell(ratio) : Cell();
}

// "It lowers the error in 11 of 12 shifted cases."
std::string how_often_lower(const StudyResults& results, const Measured& ratio) {
  int cases = 0, lower = 0;
  for (const std::string& problem : results.problems()) {
    for (const std::string& method : results.methods(problem)) {
      for (const Shift shift : shifted) {
        const Cell cell = ratio(problem, method, shift).ours;
        cases += cell.value.has_value() ? 1 : 0;
        lower += cell.value.value_or(2) < 1 ? 1 : 0;
      }
    }
  }
  return fmt::format("The error falls in {} of {} shifted cases.", lower, cases);
}

}  // namespace

Colour method_colour(const std::string& method) {
  static const std::map<std::string, Colour> colours = {{"bayesian", Colour::blue},
                                                        {"variance", Colour::orange},
                                                        {"dropout", Colour::purple},
                                                        {"ensemble", Colour::vermilion},
                                                        {"diverse", Colour::green}};
  const auto found = colours.find(method);
  return found == colours.end() ? Colour::automatic : found->second;
}

void fit_axes(Panel& panel) {
  const double infinity = std::numeric_limits<double>::infinity();
  Range x{infinity, 0}, y{infinity, 0};
  const auto hold = [](double value, Range& range) {
    if (!(value > 0)) return;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  };
  const auto hold_all = [&](const auto* series) {
    if (series == nullptr) return;
    for (const double value : series->x) hold(value, x);
    for (const double value : series->y) hold(value, y);
  };
  for (const Series& series : panel.series) {
    hold_all(std::get_if<Points>(&series));
    hold_all(std::get_if<Line>(&series));
  }
  if (y.high < 4 * y.low) panel.y.scale = Scale::linear;
  const bool labelled = std::any_of(panel.series.begin(), panel.series.end(), [](const Series& series) {
    const auto* points = std::get_if<Points>(&series);
    return points != nullptr && !points->labels.empty();
  });
  if (!(x.low < x.high) || labelled) return;  // words beside points get their room anyway
  panel.x.low = x.low / 1.5;
  panel.x.high = x.high * 1.5;
}

double seed_error(const Cell& cell) { return cell.spread.value_or(0); }

Line zero_line(const Points& curve, double value, std::string name, Colour colour) {
  return {.name = std::move(name),
          .x = {curve.x.front(), curve.x.back()},
          .y = {value, value},
          .colour = colour,
          .stroke = Stroke::dotted};
}

Figure shift_figure(const StudyResults& results, const ShownMetric& metric) {
  const Measured measured = [&](const std::string& problem, const std::string& method, Shift shift) -> Pair {
    return {over_seeds(results.runs(problem, method), metric_place(shift, metric.name)),
            results.paper("uq", problem, shift, method, metric.name)};
  };
  Figure figure{
      .title = metric.label + " against shift",
      .caption = fmt::format(
          "Lower is better. Solid with points: ours, the mean over seeds; dashed: the paper's. {}{}",
          bar_words, who_is_lowest(results, measured)),
      .panels = shift_panels(results, {.label = metric.label, .scale = metric.scale}, measured)};
  if (metric.name == "nmerci") {
    figure.caption += " At 1 (dotted) the uncertainty says no more about the error than chance would.";
    for (Panel& panel : figure.panels) panel.references = {{.at = 1.0, .stroke = Stroke::dotted}};
  }
  return figure;
}

Figure trust_shift_figure(const StudyResults& results) {
  const Measured measured = [&](const std::string& problem, const std::string& method, Shift shift) -> Pair {
    return {over_seeds(results.runs(problem, method), range_place(shift, "trust_auroc")), {}};
  };
  Figure figure{.title = "Does the trust score see the shift?",
                .caption =
                    "Probability that a shifted sample has a higher score than one in domain: 1 is a perfect "
                    "separation, 0.5 (dotted) chance, and below it the method is surer of what it was not "
                    "trained on. Methods at 1 lie upon each other.",
                .panels = shift_panels(results, {.label = "AUROC", .low = -0.05, .high = 1.05}, measured)};
  for (Panel& panel : figure.panels) panel.references = {{.at = 0.5, .stroke = Stroke::dotted}};
  return figure;
}

Figure ratio_figure(const StudyResults& results, const std::string& projection) {
  const Measured ratio = [&](const std::string& problem, const std::string& method, Shift shift) -> Pair {
    const Runs runs = results.runs(problem, method);
    const auto paper = [&](const char* metric) {
      return results.paper("probconserv", problem, shift, method, metric);
    };
    return {ratio_of(over_seeds(runs, metric_place(shift, "mse", projection)),
                     over_seeds(runs, metric_place(shift, "mse"))),
            projection == "diagonal" ? ratio_of(paper("mse_pc"), paper("mse")) : Cell()};
  };
  Figure figure{.title = "MSE after over before the projection: " + projection,
                .caption = "Below the dotted line the projection brings the prediction nearer to the truth.",
                .panels = shift_panels(results, {.label = "MSE after / before", .scale = Scale::log}, ratio)};
  if (projection == "diagonal") figure.caption += " Dashed: the paper's, whose own figure shows the inverse.";
  figure.caption += " " + how_often_lower(results, ratio);
  for (Panel& panel : figure.panels) panel.references = {{.at = 1.0, .stroke = Stroke::dotted}};
  return figure;
}

}  // namespace nouq::paper
