#include <cmath>
#include <memory>
#include <numbers>

#include <cairo.h>

#include "core/error.h"
#include "plot/draw.h"
#include "plot/picture.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

struct Destroy {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Context = std::unique_ptr<cairo_t, Destroy>;
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw_failure("cannot draw the PNG: {}", cairo_status_to_string(status));
}

class CairoCanvas final : public Canvas {
 public:
  CairoCanvas(cairo_t* context, const PngOptions& options) : context_(context), options_(options) {
    cairo_scale(context, options.scale, options.scale);
    set_source({Colour::paper, 1});
    cairo_paint(context);
  }

  void line(std::span<const Point> points, const Pen& pen) override {
    trace(points);
    set_source({pen.colour, 1});
    cairo_set_line_width(context_, pen.width);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    static constexpr double dashed[] = {6, 4}, dotted[] = {1.5, 3};
    cairo_set_dash(context_, pen.stroke == Stroke::dashed ? dashed : dotted,
                   pen.stroke == Stroke::solid ? 0 : 2, 0);
    cairo_stroke(context_);
  }

  void polygon(std::span<const Point> points, const Fill& fill) override {
    trace(points);
    cairo_close_path(context_);
    set_source(fill);
    cairo_fill(context_);
  }

  // Without smoothing: neighbours would let the paper shine through between them.
  void cells(std::span<const Box> boxes, const Fill& fill) override {
    cairo_save(context_);
    cairo_set_antialias(context_, CAIRO_ANTIALIAS_NONE);
    for (const Box& box : boxes) {
      const Point first = on_pixels({box.left, box.top}), last = on_pixels({box.right(), box.bottom()});
      cairo_rectangle(context_, first.x, first.y, last.x - first.x, last.y - first.y);
    }
    set_source(fill);
    cairo_fill(context_);
    cairo_restore(context_);
  }

  void text(Point at, const std::string& words, const TextStyle& style) override {
    const std::string shown = printable(words);
    cairo_save(context_);
    cairo_select_font_face(context_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, style.size);
    cairo_text_extents_t extents;
    cairo_text_extents(context_, shown.c_str(), &extents);
    cairo_translate(context_, at.x, at.y);
    cairo_rotate(context_, style.turn * std::numbers::pi / 180);
    const double share = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? 0.5 : 1;
    const double start = -share * extents.x_advance;
    cairo_move_to(context_, start, 0);
    if (style.halo) {
      cairo_text_path(context_, shown.c_str());
      set_source({Colour::paper, 1});
      cairo_set_line_width(context_, 3);
      cairo_set_dash(context_, nullptr, 0, 0);
      cairo_stroke(context_);
      cairo_move_to(context_, start, 0);
    }
    set_source({style.colour, 1});
    cairo_show_text(context_, shown.c_str());
    cairo_restore(context_);
  }

  void begin_clip(const Box& box) override {
    cairo_save(context_);
    cairo_rectangle(context_, box.left, box.top, box.width, box.height);
    cairo_clip(context_);
  }
  void end_clip() override { cairo_restore(context_); }

 private:
  // Two cells that share an edge must round it to the same pixel.
  [[nodiscard]] Point on_pixels(Point at) const {
    return {std::round(at.x * options_.scale) / options_.scale,
            std::round(at.y * options_.scale) / options_.scale};
  }

  void trace(std::span<const Point> points) {
    cairo_new_path(context_);
    for (const Point& point : points) cairo_line_to(context_, point.x, point.y);
  }

  void set_source(const Fill& fill) {
    const auto* role = std::get_if<Colour>(&fill.colour);
    const Rgb colour = role != nullptr ? rgb(*role, options_.theme) : std::get<Rgb>(fill.colour);
    cairo_set_source_rgba(context_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0,
                          fill.opacity);
  }

  cairo_t* context_;
  const PngOptions& options_;
};

// Cairo is C: an exception must not pass through it.
cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::string cairo_png(const Figure& figure, const PngOptions& options) {
  const auto ranges = ranges_of(figure);
  const Layout layout = lay_out(figure, ranges, options.layout);
  const Surface surface(cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(layout.width * options.scale)),
      static_cast<int>(std::ceil(layout.height * options.scale))));
  check(cairo_surface_status(surface.get()));
  const Context context(cairo_create(surface.get()));
  CairoCanvas canvas(context.get(), options);
  draw(figure, ranges, layout, canvas);
  check(cairo_status(context.get()));
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

}  // namespace nouq::plot
