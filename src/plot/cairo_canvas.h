// The canvas that makes pixels. Only where the library is built with Cairo; report/png.h is the way in.
#pragma once

#include <string>

#include "plot/png.h"

namespace nouq::plot {

// The figure must be valid.
std::string cairo_png(const Figure& figure, const PngOptions& options);

}  // namespace nouq::plot
