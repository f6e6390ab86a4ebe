// A page in other shapes: its tables as Markdown, its figures as files.
//
// When: results go into a repository or a paper besides the page. Contract: figures are named by their
// titles, `mse-against-shift.svg` (or their own name, where a title holds numbers that change; or their
// section's title, where there is none), so that a name still means the same when a page has more figures;
// equal ones are numbered. The Markdown refers to them when it is told where they are. In Markdown, prose
// keeps its little markup; titles, captions and settings, which may hold anybody's names, are shown as they
// are.
#pragma once

#include <filesystem>

#include "plot/page.h"

namespace nouq::plot {

// Title, prose, tables and captions. `figures` is the folder of the figures as the reader of the text sees
// it; empty: no figures.
std::string page_markdown(const Page& page, const std::string& figures = "");

// Writes every figure as SVG, and as PNG where there is Cairo, and makes the folder; how many figures there
// were.
std::size_t write_figures(const std::filesystem::path& folder, const Page& page);

}  // namespace nouq::plot
