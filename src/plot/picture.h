// A figure as a picture: SVG or PNG.
//
// SVG. Why: sharp at any size, needs no script, goes into documents and print. When: `svg` for a file of its
// own, which is light or dark as the reader's system is (and always light on paper); with `standalone` off
// for a page that brings `svg_style` in its own sheet. Contract: well-formed XML whatever the strings
// contain; the caption is the description read out to those who cannot see it.
#pragma once

#include <filesystem>
#include <string>

#include "plot/colour.h"
#include "plot/figure.h"
#include "plot/layout.h"

namespace nouq::plot {

struct SvgOptions {
  LayoutOptions layout = {};
  bool standalone = true;
};

std::string svg(const Figure& figure, const SvgOptions& options = {});
void write_svg(const std::filesystem::path& path, const Figure& figure, const SvgOptions& options = {});

// The rules that give roles their colours below a selector: svg_style(".dark", Theme::dark).
std::string svg_style(const std::string& selector, Theme theme);

// PNG, for slides and for places that take no SVG. Needs Cairo at build time; without it an Error says to
// write .svg instead. The picture is opaque, in the theme asked for.
struct PngOptions {
  LayoutOptions layout = {};
  Theme theme = Theme::light;
  double scale = 2;  // pixels per point of the layout
};

bool has_png();  // whether this library was built with Cairo

std::string png(const Figure& figure, const PngOptions& options = {});  // the bytes of the file
void write_png(const std::filesystem::path& path, const Figure& figure, const PngOptions& options = {});

// Throws when `write_figure` could not draw a picture of that name: any ending but .svg and .png.
void require_drawable(const std::filesystem::path& path);
// Writes .svg or .png as the name says.
void write_figure(const std::filesystem::path& path, const Figure& figure);

// The canvas behind `png`, only where the library is built with Cairo. The figure must be valid.
std::string cairo_png(const Figure& figure, const PngOptions& options);

}  // namespace nouq::plot
