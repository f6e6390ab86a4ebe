// The files pages carry inside themselves, built into the library (cmake/pages.cmake).
//
// Why: a report is written wherever the library runs, without looking for files beside it. Contract: `plotly`
// is empty when the bundle was not there at build time.
#pragma once

#include <string_view>

namespace nouq::plot::assets {

extern const std::string_view page_style, theme_script, page_script, plotly;
extern const std::string_view explorer_body, explorer_style, explorer_fields, explorer_figure, explorer_files,
    explorer_draw, explorer_picture, explorer_link, explorer_server, explorer_controls, explorer_explorer;

}  // namespace nouq::plot::assets
