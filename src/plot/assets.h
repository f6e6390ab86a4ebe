// The files the page carries inside itself, built into the library (cmake/pages.cmake).
//
// Why: a report is written wherever the library runs, without looking for files beside it. Contract: `plotly`
// is empty when the bundle was not there at build time.
#pragma once

#include <string_view>

namespace nouq::plot::assets {

extern const std::string_view page_style, page_script, plotly;

}  // namespace nouq::plot::assets
