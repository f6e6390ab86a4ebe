// A figure as SVG.
//
// Why: sharp at any size, needs no script, goes into documents and print. When: `svg` for a file of its own,
// which is light or dark as the reader's system is (and always light on paper); with `standalone` off for a
// page that brings `svg_style` in its own sheet. Contract: well-formed XML whatever the strings contain; the
// caption is the description read out to those who cannot see it.
#pragma once

#include <filesystem>
#include <string>

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

}  // namespace nouq::plot
