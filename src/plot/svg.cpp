#include <cmath>

#include <fmt/format.h>

#include "core/file.h"
#include "plot/draw.h"
#include "plot/picture.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

constexpr const char* fonts =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

// At most two decimals, none without need: a thousandth of an inch is enough for any paper.
std::string number(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

std::string coordinates(std::span<const Point> points) {
  std::string text;
  for (const Point& point : points)
    text += (text.empty() ? "" : " ") + number(point.x) + "," + number(point.y);
  return text;
}

// Attributes carry the light colours for viewers without style sheets; the classes let a sheet change them.
std::string paint(const char* property, Colour colour) {
  const char initial = property[0];
  return fmt::format(" class=\"{}-{}\" {}=\"{}\"", initial, colour_name(colour), property,
                     hex(rgb(colour, Theme::light)));
}

std::string fill_attributes(const Fill& fill) {
  const auto* role = std::get_if<Colour>(&fill.colour);
  std::string text =
      role != nullptr ? paint("fill", *role) : fmt::format(" fill=\"{}\"", hex(std::get<Rgb>(fill.colour)));
  if (fill.opacity < 1) text += fmt::format(" fill-opacity=\"{}\"", number(fill.opacity));
  return text;
}

std::string dashes(Stroke stroke) {
  if (stroke == Stroke::dashed) return " stroke-dasharray=\"6 4\"";
  return stroke == Stroke::dotted ? " stroke-dasharray=\"1.5 3\"" : "";
}

class SvgCanvas final : public Canvas {
 public:
  void line(std::span<const Point> points, const Pen& pen) override {
    body_ +=
        fmt::format("<polyline fill=\"none\"{} stroke-width=\"{}\"{} points=\"{}\"/>\n",
                    paint("stroke", pen.colour), number(pen.width), dashes(pen.stroke), coordinates(points));
  }

  void polygon(std::span<const Point> points, const Fill& fill) override {
    body_ += fmt::format("<polygon{} points=\"{}\"/>\n", fill_attributes(fill), coordinates(points));
  }

  void cells(std::span<const Box> boxes, const Fill& fill) override {
    // A little larger than they are: where edges are smoothed, the paper would shine through between
    // neighbours.
    constexpr double overlap = 0.25;
    std::string path;
    for (const Box& box : boxes) {
      const double width = box.width + overlap;
      path += fmt::format("M{} {}h{}v{}h{}z", number(box.left), number(box.top), number(width),
                          number(box.height + overlap), number(-width));
    }
    body_ += fmt::format("<path shape-rendering=\"crispEdges\"{} d=\"{}\"/>\n", fill_attributes(fill), path);
  }

  void text(Point at, const std::string& words, const TextStyle& style) override {
    if (words.empty()) return;
    static constexpr const char* anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    std::string turn;
    if (style.turn != 0)
      turn = fmt::format(" transform=\"rotate({} {} {})\"", number(style.turn), number(at.x), number(at.y));
    const std::string common = fmt::format(
        " x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{}", number(at.x), number(at.y), number(style.size),
        anchors[static_cast<int>(style.anchor)], style.bold ? " font-weight=\"600\"" : "", turn);
    const std::string safe = escape_markup(words);
    if (style.halo)
      body_ += fmt::format("<text aria-hidden=\"true\"{} fill=\"none\" stroke-width=\"3\"{}>{}</text>\n",
                           common, paint("stroke", Colour::paper), safe);
    body_ += fmt::format("<text{}{}>{}</text>\n", common, paint("fill", style.colour), safe);
  }

  // A nested drawing clips by itself and, other than a clip path, needs no name that must be unique in a
  // page.
  void begin_clip(const Box& box) override {
    body_ +=
        fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} {3}\">\n",
                    number(box.left), number(box.top), number(box.width), number(box.height));
  }
  void end_clip() override { body_ += "</svg>\n"; }

  [[nodiscard]] const std::string& body() const { return body_; }

 private:
  std::string body_;
};

}  // namespace

std::string svg_style(const std::string& selector, Theme theme) {
  std::string rules;
  for (const Colour colour : all_colours) {
    rules += fmt::format("{0} .f-{1}{{fill:{2}}}{0} .s-{1}{{stroke:{2}}}\n", selector, colour_name(colour),
                         hex(rgb(colour, theme)));
  }
  return rules;
}

std::string svg(const Figure& figure, const SvgOptions& options) {
  validate(figure);
  const auto ranges = ranges_of(figure);
  const Layout layout = lay_out(figure, ranges, options.layout);
  SvgCanvas canvas;
  draw(figure, ranges, layout, canvas);
  const std::string width = number(layout.width), height = number(layout.height);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawn\" role=\"img\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"{2}\">\n<title>{3}</title>\n<desc>{4}</desc>\n",
      width, height, fonts, escape_markup(figure.title), escape_markup(figure.caption));
  if (options.standalone) {
    text += fmt::format("<style>\n@media screen and (prefers-color-scheme: dark) {{\n{}}}\n</style>\n",
                        svg_style(".drawn", Theme::dark));
    text +=
        fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", width, height, paint("fill", Colour::paper));
  }
  return text + canvas.body() + "</svg>\n";
}

void write_svg(const std::filesystem::path& path, const Figure& figure, const SvgOptions& options) {
  write_file_atomically(path, svg(figure, options));
}

}  // namespace nouq::plot
