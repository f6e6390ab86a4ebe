#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/axes.h"

namespace nouq::plot {
namespace {

// The smallest interval around the drawable values seen so far.
class Hull {
 public:
  explicit Hull(Scale scale) : scale_(scale) {}
  void add(double value) {
    if (!drawable(value, scale_)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  void add(const std::vector<double>& values) {
    for (const double value : values) add(value);
  }
  void add(const Hull& other) {
    low_ = std::min(low_, other.low_);
    high_ = std::max(high_, other.high_);
  }
  void make_symmetric() {
    if (!empty()) low_ = -(high_ = std::max(std::abs(low_), std::abs(high_)));
  }
  [[nodiscard]] bool empty() const { return low_ > high_; }
  [[nodiscard]] Scale scale() const { return scale_; }
  // The range of an axis: `margin` (a share of the length) is added on both sides, asked-for ends win.
  [[nodiscard]] Range range(const Axis& axis, double margin) const;

 private:
  Scale scale_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
};

// The ends are kept where sums and quotients of them are still numbers.
constexpr double largest_end = std::numeric_limits<double>::max() / 10, smallest_end = 1 / largest_end;

// Values that differ in their last digits alone are drawn as one.
bool as_good_as_equal(Range range) {
  return range.high - range.low <= 1e-12 * std::max(std::abs(range.low), std::abs(range.high));
}

Range widened_log(Range range, double margin) {
  range = {std::clamp(range.low, smallest_end, largest_end),
           std::clamp(range.high, smallest_end, largest_end)};
  const double decades = std::log10(range.high) - std::log10(range.low);
  const double factor = as_good_as_equal(range) ? 2.0 : std::pow(10.0, margin * decades);
  return {std::max(range.low / factor, smallest_end / 2), std::min(range.high * factor, 2 * largest_end)};
}

Range widened(Range range, Scale scale, double margin) {
  if (scale == Scale::log) return widened_log(range, margin);
  range = {std::clamp(range.low, -largest_end, largest_end),
           std::clamp(range.high, -largest_end, largest_end)};
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (size < smallest_end) return {-1, 1};
  const double add = as_good_as_equal(range) ? 0.1 * size : margin * (range.high - range.low);
  return {range.low - add, range.high + add};
}

Range Hull::range(const Axis& axis, double margin) const {
  const Range whole = empty() ? (scale_ == Scale::log ? Range{0.1, 1} : Range{0, 1}) : Range{low_, high_};
  const Range wide = widened(whole, scale_, margin);
  Range range = {axis.low.value_or(wide.low), axis.high.value_or(wide.high)};
  if (range.low < range.high) return range;
  // One end was asked for and the data lie beyond it.
  const double step = scale_ == Scale::log ? 0 : std::max(1.0, std::abs(range.low));
  if (axis.low) range.high = scale_ == Scale::log ? range.low * 10 : range.low + step;
  if (!axis.low) range.low = scale_ == Scale::log ? range.high / 10 : range.high - step;
  return range;
}

struct PanelHulls {
  explicit PanelHulls(const Panel& panel) : x(panel.x.scale), y(panel.y.scale) {}
  Hull x, y, value{Scale::linear};
  const HeatMap* map = nullptr;
  bool from_zero = false;  // bars stand on zero
  bool labelled = false;   // words beside points
};

// A deviation nearly as large as its value reaches down for decades on a logarithmic axis: its bar leaves the
// picture rather than press everything else together.
void add_with_error(Hull& hull, const std::vector<double>& values, const std::vector<double>& error) {
  hull.add(values);
  for (std::size_t i = 0; i < error.size(); ++i) {
    const double lower = values[i] - error[i];
    hull.add(hull.scale() == Scale::log ? std::max(lower, values[i] / 5) : lower);
    hull.add(values[i] + error[i]);
  }
}

struct Collect {
  PanelHulls& hulls;
  void operator()(const Line& line) const {
    hulls.x.add(line.x);
    hulls.y.add(line.y);
  }
  void operator()(const Band& band) const {
    hulls.x.add(band.x);
    hulls.y.add(band.lower);
    hulls.y.add(band.upper);
  }
  void operator()(const Points& points) const {
    hulls.x.add(points.x);
    add_with_error(hulls.y, points.y, points.error);
    hulls.labelled |= !points.labels.empty();
  }
  void operator()(const Bars& bars) const {
    add_with_error(hulls.y, bars.values, bars.error);
    hulls.from_zero = true;
  }
  void operator()(const HeatMap& map) const {
    hulls.x.add(cell_edges(map.x));
    hulls.y.add(cell_edges(map.y));
    hulls.map = &map;
    hulls.value = Hull(map.value.scale);
    for (const double value : map.values) hulls.value.add(value);
    if (map.colours == ColourScale::diverging) hulls.value.make_symmetric();
  }
};

PanelHulls hulls_of(const Panel& panel) {
  PanelHulls hulls(panel);
  for (const Series& series : panel.series) std::visit(Collect{hulls}, series);
  if (hulls.from_zero && panel.y.scale == Scale::linear) hulls.y.add(0.0);
  for (const ReferenceLine& line : panel.references)
    (line.direction == Direction::horizontal ? hulls.y : hulls.x).add(line.at);
  return hulls;
}

// Makes every member the hull of all, where the panels ask for that.
void share(std::vector<PanelHulls>& all, Hull PanelHulls::*member) {
  for (PanelHulls& hulls : all) (all.front().*member).add(hulls.*member);
  for (PanelHulls& hulls : all) hulls.*member = all.front().*member;
}

// Shares of an axis to leave free at its ends: maps fill their panel, words beside points need room.
struct Margins {
  double x, y;
};
Margins margins_of(const PanelHulls& hulls) {
  if (hulls.map != nullptr) return {0, 0};
  return hulls.labelled ? Margins{0.15, 0.15} : Margins{0.02, 0.04};
}

PanelRanges ranges_of(const Panel& panel, const PanelHulls& hulls) {
  PanelRanges ranges;
  const Margins margins = margins_of(hulls);
  ranges.x = hulls.x.range(panel.x, margins.x);
  if (!panel.x.categories.empty()) ranges.x = {-0.5, static_cast<double>(panel.x.categories.size()) - 0.5};
  Axis y = panel.y;
  if (hulls.from_zero && y.scale == Scale::linear && hulls.y.range({}, 0).low >= 0 && !y.low) y.low = 0;
  ranges.y = hulls.y.range(y, margins.y);
  if (hulls.map != nullptr) ranges.value = hulls.value.range(hulls.map->value, 0);
  ranges.empty = hulls.y.empty() || (hulls.map != nullptr && hulls.value.empty());
  return ranges;
}

}  // namespace

std::vector<PanelRanges> ranges_of(const Figure& figure) {
  std::vector<PanelHulls> all;
  for (const Panel& panel : figure.panels) all.push_back(hulls_of(panel));
  if (figure.share_x) share(all, &PanelHulls::x);
  if (figure.share_y) share(all, &PanelHulls::y);
  if (figure.share_values) share(all, &PanelHulls::value);
  std::vector<PanelRanges> ranges;
  for (std::size_t p = 0; p < all.size(); ++p) ranges.push_back(ranges_of(figure.panels[p], all[p]));
  return ranges;
}

bool drawable(double value, Scale scale) {
  return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

double position(double value, Range range, Scale scale) {
  if (scale == Scale::log)
    return (std::log(value) - std::log(range.low)) / (std::log(range.high) - std::log(range.low));
  return (value - range.low) / (range.high - range.low);
}

std::vector<double> cell_edges(const std::vector<double>& centres) {
  if (centres.size() == 1) return {centres[0] - 0.5, centres[0] + 0.5};
  std::vector<double> edges = {centres[0] - (centres[1] - centres[0]) / 2};
  for (std::size_t i = 1; i < centres.size(); ++i) edges.push_back((centres[i - 1] + centres[i]) / 2);
  edges.push_back(centres.back() + (centres.back() - centres[centres.size() - 2]) / 2);
  return edges;
}

void for_each_piece(std::size_t size, const std::function<bool(std::size_t)>& present,
                    const std::function<void(std::size_t, std::size_t)>& piece) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= size; ++i) {
    if (i < size && present(i)) continue;
    if (i > begin) piece(begin, i);
    begin = i + 1;
  }
}

}  // namespace nouq::plot
