#include "plot/layout.h"

#include <algorithm>
#include <cmath>

#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

constexpr double outer = 10;          // around the whole figure
constexpr double gap = 22;            // between panels that share an axis
constexpr double tick_gap = 6;        // between plot and tick labels
constexpr double bar_width = 12;      // of a colour bar
constexpr double bar_gap = 10;        // between plot and colour bar
constexpr double turn_sine = 0.5736;  // of 35 degrees, the angle of turned names

double height_of(double size) { return line_height * size; }

double widest(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label, type::tick));
  return width;
}

std::vector<Tick> category_ticks(const std::vector<std::string>& names) {
  std::vector<Tick> ticks;
  ticks.reserve(names.size());
  for (const std::string& name : names) ticks.push_back({static_cast<double>(ticks.size()), name});
  return ticks;
}

// As many ticks as stand side by side with air between them.
std::vector<Tick> fitting_ticks(Range range, Scale scale, double width) {
  std::vector<Tick> ticks;
  for (int wanted = std::clamp(static_cast<int>(width / 60), 3, 8); wanted >= 1; --wanted) {
    ticks = ticks_of(range, scale, wanted);
    const double needed = static_cast<double>(ticks.size()) * (widest(ticks) + 8);
    if (needed <= width) break;
  }
  return ticks;
}

double key_width(const Key& key) { return sample_width + 6 + text_width(key.name, type::legend) + 16; }

class Builder {
 public:
  Builder(const Figure& figure, const std::vector<PanelRanges>& ranges, const LayoutOptions& options)
      : figure_(figure),
        ranges_(ranges),
        columns_(static_cast<std::size_t>(options.columns > 0 ? std::min(options.columns, columns_of(figure))
                                                              : columns_of(figure))),
        rows_((figure.panels.size() + columns_ - 1) / columns_),
        show_title_(options.title),
        legend_row_(options.legend_row) {
    result_.width = options.width;
    result_.panels.resize(figure.panels.size());
  }

  Layout build() {
    const double top = place_legend(place_title());
    choose_labels();
    measure_columns();
    measure_rows();
    place_panels(top);
    place_bars();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t column(std::size_t panel) const { return panel % columns_; }
  [[nodiscard]] std::size_t row(std::size_t panel) const { return panel / columns_; }
  [[nodiscard]] bool own_bars() const { return !figure_.share_values; }

  double place_title() {
    if (!show_title_ || figure_.title.empty()) return outer;
    result_.title = wrap(figure_.title, type::title * 1.06, result_.width - 2 * outer);
    return outer + static_cast<double>(result_.title.size()) * height_of(type::title) + 4;
  }

  double place_legend(double top) {
    const auto keys = legend_of(figure_);
    if (keys.empty() || (keys.size() == 1 && figure_.panels.size() == 1 && !keys[0].band)) return top;
    const double row_width = result_.width - 2 * outer;
    double total = 0, largest = 0;
    for (const Key& key : keys) {
      total += key_width(key);
      largest = std::max(largest, key_width(key));
    }
    const bool one_row = total <= row_width;  // else in columns, as Plotly does it
    const auto per_row = std::max<std::size_t>(1, static_cast<std::size_t>(row_width / largest));
    double x = outer, y = top + type::legend;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (!one_row && k > 0 && k % per_row == 0) {
        x = outer;
        y += legend_row_;
      }
      result_.legend.push_back({keys[k], {x, y}});
      x += one_row ? key_width(keys[k]) : largest;
    }
    return y + 10;
  }

  // Which panels write their own tick labels: all, or with shared axes the first column and the last in a
  // column.
  void choose_labels() {
    for (std::size_t p = 0; p < result_.panels.size(); ++p) {
      PanelLayout& panel = result_.panels[p];
      panel.y_ticks = ticks_of(ranges_[p].y, figure_.panels[p].y.scale, columns_ > 3 ? 3 : 5);
      panel.y_labels = !figure_.share_y || column(p) == 0;
      panel.x_labels = !figure_.share_x || p + columns_ >= result_.panels.size();
    }
  }

  [[nodiscard]] double left_of(std::size_t p) const {
    const PanelLayout& panel = result_.panels[p];
    if (!panel.y_labels) return gap;
    const double label = figure_.panels[p].y.label.empty() ? 0 : height_of(type::label) + 2;
    return label + widest(panel.y_ticks) + tick_gap + (column(p) > 0 ? gap : outer);
  }

  [[nodiscard]] double bar_space(std::size_t p) const {
    const HeatMap* map = heat_map_of(figure_.panels[p]);
    if (map == nullptr) return 0;
    const double label = map->value.label.empty() ? 0 : height_of(type::label) + 2;
    return bar_gap + bar_width + tick_gap + widest(bar_ticks(p)) + label + 4;
  }

  [[nodiscard]] std::vector<Tick> bar_ticks(std::size_t p) const {
    return ticks_of(*ranges_[p].value, heat_map_of(figure_.panels[p])->value.scale, 5);
  }

  void measure_columns() {
    left_.assign(columns_, 0);
    right_.assign(columns_, 0);
    double shared = 0;
    for (std::size_t p = 0; p < result_.panels.size(); ++p) {
      left_[column(p)] = std::max(left_[column(p)], left_of(p));
      const double bar = bar_space(p);
      if (own_bars()) right_[column(p)] = std::max(right_[column(p)], bar);
      shared = std::max(shared, own_bars() ? 0 : bar);
    }
    double margins = shared + outer + 4;
    for (std::size_t c = 0; c < columns_; ++c) margins += left_[c] + right_[c];
    plot_width_ = std::max(20.0, (result_.width - margins) / static_cast<double>(columns_));
    const double aspect = figure_.aspect > 0 ? figure_.aspect : (columns_ == 1 ? 0.5 : 0.8);
    plot_height_ = std::max(30.0, aspect * plot_width_);
    if (figure_.aspect == 0) plot_height_ = std::min(plot_height_, 320.0);
  }

  void measure_rows() {
    above_.assign(rows_, 6);
    below_.assign(rows_, 0);
    for (std::size_t p = 0; p < result_.panels.size(); ++p) {
      PanelLayout& panel = result_.panels[p];
      panel.title = wrap(figure_.panels[p].title, type::panel_title * 1.06, plot_width_);
      const double title = static_cast<double>(panel.title.size()) * height_of(type::panel_title);
      above_[row(p)] = std::max(above_[row(p)], title + 6);
      below_[row(p)] = std::max(below_[row(p)], choose_x_ticks(p));
    }
  }

  // Returns the space below the plot.
  double choose_x_ticks(std::size_t p) {
    PanelLayout& panel = result_.panels[p];
    const Axis& axis = figure_.panels[p].x;
    panel.x_ticks = axis.categories.empty() ? fitting_ticks(ranges_[p].x, axis.scale, plot_width_)
                                            : category_ticks(axis.categories);
    if (!panel.x_labels) return 4;
    const double slot = plot_width_ / static_cast<double>(std::max<std::size_t>(1, panel.x_ticks.size()));
    panel.turned = !axis.categories.empty() && widest(panel.x_ticks) > 0.95 * slot;
    const double names = panel.turned ? turn_sine * widest(panel.x_ticks) + type::tick : type::tick;
    panel.x_label_at = tick_gap + names + 3 + type::label;
    return axis.label.empty() ? tick_gap + names + 8 : panel.x_label_at + 8;
  }

  void place_panels(double top) {
    for (std::size_t r = 0; r < rows_; ++r) {
      top += above_[r];
      double left = 0;
      for (std::size_t c = 0; c < columns_ && r * columns_ + c < result_.panels.size(); ++c) {
        PanelLayout& panel = result_.panels[r * columns_ + c];
        left += left_[c];
        panel.plot = {left, top, plot_width_, plot_height_};
        panel.y_label_at = left - tick_gap - widest(panel.y_ticks) - 7;
        panel.x_label_at += panel.plot.bottom();
        left += plot_width_ + right_[c];
      }
      top += plot_height_ + below_[r];
    }
    result_.height = top + 4;
  }

  void add_bar(std::size_t p, const Box& bar) {
    const auto ticks = bar_ticks(p);
    const double at = bar.right() + tick_gap + widest(ticks) + height_of(type::label);
    result_.bars.push_back({bar, p, ticks, at});
  }

  void place_bars() {
    for (std::size_t p = 0; p < result_.panels.size(); ++p) {
      if (heat_map_of(figure_.panels[p]) == nullptr) continue;
      const Box& plot = result_.panels[p].plot;
      if (own_bars()) {
        add_bar(p, {plot.right() + bar_gap, plot.top, bar_width, plot.height});
        continue;
      }
      const Box& first = result_.panels.front().plot;
      const double right = result_.panels[columns_ - 1].plot.right();
      const double height = std::min(result_.panels.back().plot.bottom() - first.top, 2.2 * plot_height_);
      return add_bar(p, {right + bar_gap, first.top, bar_width, height});
    }
  }

  const Figure& figure_;
  const std::vector<PanelRanges>& ranges_;
  std::size_t columns_, rows_;
  bool show_title_;
  double legend_row_;
  Layout result_;
  std::vector<double> left_, right_, above_, below_;  // margins per column and row
  double plot_width_ = 0, plot_height_ = 0;
};

}  // namespace

Layout lay_out(const Figure& figure, const std::vector<PanelRanges>& ranges, const LayoutOptions& options) {
  return Builder(figure, ranges, options).build();
}

}  // namespace nouq::plot
