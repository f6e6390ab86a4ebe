#include "report/study_solutions.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/generate.h"
#include "report/study_figures.h"

namespace nouq::report {
namespace {

void set_colour(Panel& panel, const std::string& name, Colour colour) {
  for (Series& series : panel.series) {
    if (report::name_of(series) != name) continue;
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

// Every few points of a fine map: more than these are not seen in a small picture, and make a large page.
HeatMap thinned(const HeatMap& map) {
  constexpr std::size_t enough = 40;
  const std::size_t step = (std::max(map.x.size(), map.y.size()) + enough - 1) / enough;
  HeatMap thin{.colours = map.colours, .value = map.value};
  for (std::size_t i = 0; i < map.x.size(); i += step) thin.x.push_back(map.x[i]);
  for (std::size_t j = 0; j < map.y.size(); j += step) thin.y.push_back(map.y[j]);
  thin.values = Array<double>({static_cast<Index>(thin.y.size()), static_cast<Index>(thin.x.size())});
  Index at = 0;
  for (std::size_t j = 0; j < map.y.size(); j += step) {
    for (std::size_t i = 0; i < map.x.size(); i += step)
      thin.values[at++] = map.values[static_cast<Index>(j * map.x.size() + i)];
  }
  return thin;
}

}  // namespace

ShownRange::ShownRange(const std::vector<ShownMethod>& methods, const StudyCase& study_case, Shift shift,
                       Index samples, int threads)
    : methods_(methods), problem_(study_case.problem) {
  require(!methods.empty(), "a picture of the predictions of no method");
  const auto problem = make_problem(problem_);
  const Grid& grid = methods.front().surrogate.grid;
  test_ = {to_string(shift), generate_data_set(*problem, {samples, study_case.seed + test_seed_offset,
                                                          problem->range(shift), grid, threads})};
  const bool law = physics_of(test_.data).has_law();
  for (const ShownMethod& method : methods) {
    sets_.push_back(show(method.surrogate, test_, law ? "bounded" : "none", threads));
    if (law)
      diagonal_.push_back(project({ProjectionKind::diagonal, std::nullopt, threads}, method.surrogate,
                                  test_.data, sets_.back().before));
  }
  at_ = sets_.back().sample * sets_.back().size;
}

bool ShownRange::has_time() const { return test_.data.grid.back().name == "t"; }

FieldSample ShownRange::before(std::size_t method, const std::string& name) const {
  const Prediction& p = sets_[method].before;
  return {name, p.mean.data() + at_, p.variance.data() + at_};
}

std::string ShownRange::sample_words() const {
  const DataSet& data = test_.data;
  if (data.parameters.empty() || data.parameter_names.empty()) return "";
  const auto columns = static_cast<Index>(data.parameter_names.size());
  return fmt::format(", {} = {:.4g}", data.parameter_names.front().name,
                     data.parameters[sets_.back().sample * columns]);
}

std::string ShownRange::time_words() const {
  return has_time() ? fmt::format("At t = {:.3g}.", shown_time()) : "";
}

double ShownRange::shown_time() const {
  const auto& t = test_.data.grid.back().coordinates;
  return t[t.size() / 2];
}

Panel ShownRange::profile(std::size_t method, const std::vector<FieldSample>& curves) const {
  Panel panel = profile_figure(test_.data.grid, methods_[method].surrogate.channels(), curves,
                               sets_[method].truth.data() + at_, {shown_time()})
                    .panels.front();
  panel.y.label = "u";
  panel.title = methods_[method].name;
  return panel;
}

std::vector<Panel> ShownRange::maps(std::size_t method) const {
  const std::string& name = methods_[method].name;
  Figure all = map_figure(test_.data.grid, methods_[method].surrogate.channels(), before(method, name),
                          sets_[method].truth.data() + at_);
  std::vector<Panel> panels = {all.panels[0], all.panels[3], all.panels[1]};
  const std::vector<std::string> words = {"mean", "|error|", "deviation"};
  for (std::size_t p = 0; p < panels.size(); ++p) {
    panels[p].title = name + ": " + words[p];
    auto& map = std::get<HeatMap>(panels[p].series.front());
    map = thinned(map);
    if (p > 0) map.colours = ColourScale::heat;
  }
  return panels;
}

// A band that is far wider than the solution would leave nothing of the others to see.
void ShownRange::keep_readable(Figure& figure) const {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      const auto* line = std::get_if<Line>(&series);
      if (line == nullptr) continue;
      low = std::min(low, *std::min_element(line->y.begin(), line->y.end()));
      high = std::max(high, *std::max_element(line->y.begin(), line->y.end()));
    }
  }
  const double margin = 0.35 * (high - low);
  if (!(margin > 0)) return;
  for (Panel& panel : figure.panels) {
    panel.y.low = low - margin;
    panel.y.high = high + margin;
  }
  figure.share_y = true;
}

Figure ShownRange::solutions() const {
  Figure figure{.title = fmt::format("{}, {}{}", problem_, test_.label, sample_words())};
  if (!has_time()) {
    figure.columns = 3;
    figure.aspect = 1;
    figure.caption =
        "Mean, how wrong it is, and how wrong the method believes it may be; every map has its own "
        "colours.";
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      for (Panel& panel : maps(m)) figure.panels.push_back(std::move(panel));
    }
    return figure;
  }
  figure.caption = time_words() +
                   " Bands are three standard deviations: they should hold the truth, and be wide "
                   "where the mean is wrong. Bands that leave the picture are cut.";
  for (std::size_t m = 0; m < methods_.size(); ++m) {
    figure.panels.push_back(profile(m, {before(m, methods_[m].name)}));
    set_colour(figure.panels.back(), methods_[m].name, method_colour(methods_[m].name));
  }
  keep_readable(figure);
  return figure;
}

Figure ShownRange::projected() const {
  Figure figure{
      .title = fmt::format("{}, {}{}: the projection", problem_, test_.label, sample_words()),
      .caption =
          time_words() +
          " Before and after projections onto the conservation law: the paper's (diagonal) and the one "
          "within physical bounds (bounded, broken line). They can only mend what the uncertainty points "
          "at. Bands are three standard deviations, before and after the bounded one."};
  if (!has_time() || diagonal_.empty()) return figure;
  for (std::size_t m = 0; m < methods_.size(); ++m)
    figure.panels.push_back(
        profile(m, {before(m, "before"),
                    {"diagonal", diagonal_[m].mean.data() + at_, nullptr},
                    {"bounded", sets_[m].after.mean.data() + at_, sets_[m].after.variance.data() + at_}}));
  for (Panel& panel : figure.panels) break_line(panel, "bounded");
  keep_readable(figure);
  return figure;
}

}  // namespace nouq::report
