// A figure as a PNG picture, for slides and for places that take no SVG.
//
// Contract: needs Cairo at build time; without it an Error says to write .svg instead. The picture is opaque,
// in the theme asked for.
#pragma once

#include <filesystem>
#include <string>

#include "plot/colour.h"
#include "plot/figure.h"
#include "plot/layout.h"

namespace nouq::plot {

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

}  // namespace nouq::plot
