#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "plot/draw.h"
#include "plot/layout.h"

namespace nouq::plot {
namespace {

constexpr int colour_steps =
    256;  // heat maps quantise their colours, so that cells of one colour are one path

class SeriesDrawer {
 public:
  SeriesDrawer(const Panel& panel, const std::vector<Key>& legend, const Mapping& mapping,
               std::optional<Range> value_range, Canvas& canvas)
      : legend_(legend), map_(mapping), value_range_(value_range), canvas_(canvas) {
    for (const Series& series : panel.series) bars_ += std::holds_alternative<Bars>(series) ? 1 : 0;
  }

  void draw(const Series& series) {
    look_ = look_of(legend_, series);
    std::visit([&](const auto& s) { draw_one(s); }, series);
  }

 private:
  void curve(const std::vector<double>& x, const std::vector<double>& y, const Pen& pen) {
    for_each_piece(
        x.size(), [&](std::size_t i) { return map_.holds(x[i], y[i]); },
        [&](std::size_t begin, std::size_t end) {
          std::vector<Point> points;
          for (std::size_t i = begin; i < end; ++i) points.push_back({map_.x(x[i]), map_.y(y[i])});
          if (points.size() == 1) return draw_marker(canvas_, points[0], look_);  // a line would not be seen
          canvas_.line(points, pen);
        });
  }

  void draw_one(const Line& line) { curve(line.x, line.y, {look_.colour, 1.8, line.stroke}); }

  void draw_one(const Band& band) {
    for_each_piece(
        band.x.size(),
        [&](std::size_t i) { return map_.holds(band.x[i], band.lower[i]) && map_.holds(0.5, band.upper[i]); },
        [&](std::size_t begin, std::size_t end) {
          std::vector<Point> points;
          for (std::size_t i = begin; i < end; ++i)
            points.push_back({map_.x(band.x[i]), map_.y(band.upper[i])});
          for (std::size_t i = end; i-- > begin;)
            points.push_back({map_.x(band.x[i]), map_.y(band.lower[i])});
          canvas_.polygon(points, {look_.colour, band_opacity});
        });
  }

  // From value - error to value + error; on a logarithmic axis a lower end below zero falls to the frame.
  void error_bar(double x, double value, double error, Colour colour) {
    if (!std::isfinite(error) || error <= 0) return;
    const double low = drawable(value - error, map_.y_scale) ? map_.y(value - error) : map_.plot.bottom();
    const double high = map_.y(value + error);
    const Pen pen = {colour, 1.2};
    canvas_.line(std::array<Point, 2>{{{x, low}, {x, high}}}, pen);
    for (const double end : {low, high})
      canvas_.line(std::array<Point, 2>{{{x - 3, end}, {x + 3, end}}}, pen);
  }

  void draw_one(const Points& points) {
    if (points.joined) curve(points.x, points.y, {look_.colour, 1.3, points.stroke});
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      if (!map_.holds(points.x[i], points.y[i])) continue;
      const Point at = {map_.x(points.x[i]), map_.y(points.y[i])};
      if (!points.error.empty()) error_bar(at.x, points.y[i], points.error[i], look_.colour);
      draw_marker(canvas_, at, look_);
      if (!points.labels.empty())
        canvas_.text({at.x + 5, at.y - 5}, points.labels[i],
                     {.size = type::tick, .colour = look_.colour, .halo = true});
    }
  }

  void draw_one(const Bars& bars) {
    const double share = 0.8 / static_cast<double>(bars_);  // of the place of one category
    const double offset = -0.4 + share * static_cast<double>(bar_++);
    const double floor = map_.y_scale == Scale::log ? map_.plot.bottom() : map_.y(0);
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
      if (!drawable(bars.values[i], map_.y_scale)) continue;
      const double place = static_cast<double>(i) + offset;
      const double left = map_.x(place), right = map_.x(place + share) - (bars_ > 1 ? 1 : 0);
      const double end = map_.y(bars.values[i]);
      canvas_.polygon(std::array<Point, 4>{{{left, floor}, {left, end}, {right, end}, {right, floor}}},
                      {look_.colour, 0.9});
      if (!bars.error.empty()) error_bar((left + right) / 2, bars.values[i], bars.error[i], Colour::ink);
    }
  }

  [[nodiscard]] int shade_of(double value, Scale scale) const {
    if (!drawable(value, scale)) return -1;
    const double place = std::clamp(position(value, *value_range_, scale), 0.0, 1.0);
    return static_cast<int>(std::lround(place * (colour_steps - 1)));
  }

  // Neighbours of one shade in a row become one box.
  void draw_one(const HeatMap& map) {
    std::vector<double> x = cell_edges(map.x), y = cell_edges(map.y);
    for (double& edge : x) edge = std::clamp(map_.x(edge), map_.plot.left, map_.plot.right());
    for (double& edge : y) edge = std::clamp(map_.y(edge), map_.plot.top, map_.plot.bottom());
    std::map<int, std::vector<Box>> boxes;
    for (std::size_t r = 0; r < map.y.size(); ++r) {
      const auto row = map.values.row(r);
      for (std::size_t c = 0, end = 0; c < map.x.size(); c = end) {
        const int shade = shade_of(row[c], map.value.scale);
        for (end = c + 1; end < map.x.size(); ++end) {
          if (shade_of(row[end], map.value.scale) != shade) break;
        }
        boxes[shade].push_back({x[c], y[r + 1], x[end] - x[c], y[r] - y[r + 1]});
      }
    }
    for (const auto& [shade, list] : boxes) {
      const Fill gap = {Colour::grid, 1};  // a missing value is no colour of the scale
      canvas_.cells(list, shade < 0 ? gap : Fill{colour_at(map.colours, shade / (colour_steps - 1.0)), 1});
    }
  }

  const std::vector<Key>& legend_;
  const Mapping& map_;
  std::optional<Range> value_range_;
  Canvas& canvas_;
  Look look_;
  std::size_t bars_ = 0, bar_ = 0;  // series of bars, and how many of them have been drawn
};

// What lies below: areas first, so that they never hide a curve.
int depth(const Series& series) {
  if (std::holds_alternative<HeatMap>(series)) return 0;
  if (std::holds_alternative<Band>(series)) return 1;
  return std::holds_alternative<Points>(series) ? 3 : 2;
}

}  // namespace

void draw_series(const Panel& panel, const std::vector<Key>& legend, const Mapping& mapping,
                 std::optional<Range> value_range, Canvas& canvas) {
  SeriesDrawer drawer(panel, legend, mapping, value_range, canvas);
  for (int level = 0; level <= 3; ++level) {
    for (const Series& series : panel.series) {
      if (depth(series) == level) drawer.draw(series);
    }
  }
}

void draw_marker(Canvas& canvas, Point at, const Look& look) {
  struct Shape {
    int corners;
    double turn, radius;  // turn in quarters of a circle
  };
  static constexpr std::array<Shape, series_colours.size()> shapes = {
      {{16, 0, 3.6}, {4, 0.5, 4.4}, {3, -1, 4.6}, {4, 0, 4.4}, {3, 1, 4.6}, {6, 0, 4.0}, {5, -1, 4.2}}};
  const Shape& shape = shapes[look.marker % shapes.size()];
  std::vector<Point> points;
  for (int i = 0; i < shape.corners; ++i) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(i) / shape.corners + shape.turn / 4);
    points.push_back({at.x + shape.radius * std::cos(angle), at.y + shape.radius * std::sin(angle)});
  }
  canvas.polygon(points, {look.colour, 1});
}

}  // namespace nouq::plot
