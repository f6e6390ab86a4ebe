#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "paper/study_figures.h"
#include "paper/study_sections.h"
#include "plot/prediction_figure.h"

namespace nouq::paper {
namespace {

void set_colour(Panel& panel, const std::string& name, Colour colour) {
  for (Series& series : panel.series) {
    if (name_of(series) != name) continue;
    if (auto* line = std::get_if<Line>(&series)) line->colour = colour;
    if (auto* band = std::get_if<Band>(&series)) band->colour = colour;
  }
}

// So that a line below it is seen.
void break_line(Panel& panel, const std::string& name) {
  for (Series& series : panel.series) {
    auto* line = std::get_if<Line>(&series);
    if (line != nullptr && line->name == name) line->stroke = Stroke::dashed;
  }
}

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(const std::vector<double>& values) {
    for (const double value : values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
};

// A band or curve that goes far beyond the solution would leave nothing of the others to see: at most as far
// again as the solution reaches is shown.
void keep_readable(Figure& figure) {
  Extent truth, lines;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      const auto* line = std::get_if<Line>(&series);
      if (line == nullptr) continue;
      lines.include(line->y);
      if (line->name == "truth") truth.include(line->y);
    }
  }
  const double reach = truth.high - truth.low;
  if (!(reach > 0)) return;
  const double low = std::max(lines.low, truth.low - reach), high = std::min(lines.high, truth.high + reach);
  const double margin = 0.35 * (high - low);
  for (Panel& panel : figure.panels) {
    panel.y.low = low - margin;
    panel.y.high = high + margin;
  }
  figure.share_y = true;
}

FieldSample before(const FieldPicture& picture, const std::string& name) {
  return {name, picture.mean.data(), picture.variance.data()};
}

Panel profile(const ShownMethod& method, const std::vector<FieldSample>& curves) {
  const FieldPicture& picture = method.picture;
  Panel panel = profile_figure(picture.grid, 1, curves, picture.truth.data()).panels.front();
  panel.y.label = "u";
  panel.title = method.name;
  return panel;
}

std::vector<Panel> maps(const ShownMethod& method) {
  const FieldPicture& picture = method.picture;
  Figure all = map_figure(picture.grid, 1, before(picture, method.name), picture.truth.data());
  std::vector<Panel> panels = {all.panels[0], all.panels[3], all.panels[1]};
  const std::vector<std::string> words = {"mean", "|error|", "deviation"};
  for (std::size_t p = 0; p < panels.size(); ++p) {
    panels[p].title = method.name + ": " + words[p];
    std::get<HeatMap>(panels[p].series.front())
        .value = {};  // the truth it shared its range with is not shown
  }
  return panels;
}

// What colours that differ from map to map cannot show.
std::string overconfidence_words(const ShownRange& range) {
  std::vector<std::string> words;
  for (const ShownMethod& method : range.methods) {
    const FieldPicture& p = method.picture;
    double error = 0, variance = 0;
    for (std::size_t i = 0; i < p.mean.size(); ++i) {
      error += (p.mean[i] - p.truth[i]) * (p.mean[i] - p.truth[i]);
      variance += p.variance[i];
    }
    if (!(variance > 0)) continue;
    const double ratio = std::sqrt(error / variance);
    words.push_back(fmt::format("{} {:.{}f}", method.name, ratio, ratio < 10 ? 1 : 0));
  }
  if (words.empty()) return "";
  return fmt::format(
      " Error over deviation, both as root mean squares over the field: {}; far above 1 a method is too "
      "sure.",
      fmt::join(words, ", "));
}

std::string title_of(const ShownRange& range) {
  const auto& parameter = range.methods.front().picture.parameter;
  return fmt::format(
      "{}, {}{}", range.problem, range.label,
      parameter && !range.parameter.empty() ? fmt::format(", {} = {:.4g}", range.parameter, *parameter) : "");
}

std::string time_words(const ShownRange& range) {
  const auto& time = range.methods.front().picture.time;
  return time ? fmt::format(
                    "The sample in the middle of its range at t = {:.3g}, the middle of the time or the "
                    "last before it at which there is something to see. ",
                    *time)
              : "";
}

bool has_law(const ShownMethod& method) { return !method.picture.bounded.empty(); }

}  // namespace

Figure solution_figure(const ShownRange& range) {
  Figure figure{.title = title_of(range), .name = range.problem + ", " + range.label};
  if (range.methods.front().picture.grid.size() > 1) {
    figure.columns = 3;
    figure.aspect = 1;
    figure.caption =
        "The sample in the middle of its range: the mean, how wrong it is, and how wrong the method believes "
        "it may be. Every map has its own colours: the last two should have the same pattern, and the bars "
        "beside them the same size." +
        overconfidence_words(range);
    for (const ShownMethod& method : range.methods) {
      for (Panel& panel : maps(method)) figure.panels.push_back(std::move(panel));
    }
    return figure;
  }
  figure.caption = time_words(range) +
                   "Bands are three standard deviations: they should hold the truth, and be wide where the "
                   "mean is wrong. What leaves the picture is cut.";
  for (const ShownMethod& method : range.methods) {
    figure.panels.push_back(profile(method, {before(method.picture, method.name)}));
    set_colour(figure.panels.back(), method.name, method_colour(method.name));
  }
  keep_readable(figure);
  return figure;
}

Figure projected_figure(const ShownRange& range) {
  Figure figure{
      .title = title_of(range) + ": the projection",
      .caption =
          time_words(range) +
          "Before and after projections onto the conservation law: the paper's (diagonal) and the one "
          "within physical bounds (bounded, broken line). They can only mend what the uncertainty "
          "points at. Bands are three standard deviations, before and after the bounded one. What leaves "
          "the picture is cut.",
      .name = range.problem + ", " + range.label + ", projection"};
  for (const ShownMethod& method : range.methods) {
    const FieldPicture& picture = method.picture;
    if (!picture.time || !has_law(method)) continue;
    figure.panels.push_back(
        profile(method, {before(picture, "before"),
                         {"diagonal", picture.diagonal.data(), nullptr},
                         {"bounded", picture.bounded.data(), picture.bounded_variance.data()}}));
    break_line(figure.panels.back(), "bounded");
  }
  if (!figure.panels.empty()) keep_readable(figure);
  return figure;
}

}  // namespace nouq::paper
