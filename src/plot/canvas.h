// What a picture is drawn on: the few strokes that all drawn renderers offer.
//
// Why: layout and drawing exist once (plot/draw.h); SVG and PNG only differ in how they put down a line or
// a word. Contract: coordinates are in points from the upper left corner, y down. Colours are roles, except
// in heat maps, whose colours mean numbers and do not change with the paper.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "plot/colour.h"
#include "plot/figure.h"

namespace nouq::plot {

struct Point {
  double x = 0, y = 0;
};

struct Box {
  double left = 0, top = 0, width = 0, height = 0;
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
};

struct Pen {
  Colour colour = Colour::ink;
  double width = 1;
  Stroke stroke = Stroke::solid;
};

struct Fill {
  std::variant<Colour, Rgb> colour = Colour::ink;
  double opacity = 1;
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12;
  Colour colour = Colour::ink;
  Anchor anchor = Anchor::start;
  bool bold = false;
  double turn = 0;    // degrees, clockwise about the point
  bool halo = false;  // a rim of paper, for words on top of curves
};

class Canvas {
 public:
  Canvas() = default;
  virtual ~Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  virtual void line(std::span<const Point> points, const Pen& pen) = 0;
  virtual void polygon(std::span<const Point> points, const Fill& fill) = 0;
  // Boxes of one colour that tile without seams.
  virtual void cells(std::span<const Box> boxes, const Fill& fill) = 0;
  // The baseline of the text starts, is centred, or ends at the point.
  virtual void text(Point at, const std::string& words, const TextStyle& style) = 0;
  // Until end_clip only what falls into the box is seen.
  virtual void begin_clip(const Box& box) = 0;
  virtual void end_clip() = 0;
};

}  // namespace nouq::plot
