// One self-contained page: prose, figures, tables and settings in a single HTML file.
//
// Why: a result is passed on as one file that opens anywhere, for years, without network. When: fill a `Page`
// and call `write_page`. Contract: no request leaves the page (it forbids them to itself); every string is
// escaped; all figures are in it as drawings, so it prints and works without scripts; where Plotly's bundle
// was built in, they are interactive on screen. Light and dark follow the reader's system until the reader
// chooses.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plot/figure.h"
#include "plot/table.h"

namespace nouq::plot {

// Plain words; `code`, **bold** and [links](#section) are understood, everything else is shown as it is.
// Links go to places in the page, to files beside it, or to https.
struct Prose {
  std::string text = {};
};

// A fold-out block of names and values: the exact settings behind a result.
struct Settings {
  std::string title = {};
  std::vector<std::pair<std::string, std::string>> values = {};
  std::string id = {};  // so that prose can link to it
};

// Shown as typed: a command, a TOML file.
struct Code {
  std::string text = {};
};

using Block = std::variant<Prose, Figure, Table, Settings, Code>;

struct Section {
  std::string title = {};
  std::vector<Block> blocks = {};
  std::string id = {};  // for links; empty: section-1, section-2, ...
};

struct Page {
  std::string title = {};
  std::string summary = {};  // one sentence below the title
  std::vector<Section> sections = {};
  std::string footer = {};  // e.g. which version wrote it
};

enum class Interaction { if_available, none };  // none: drawings only

std::string page_html(const Page& page, Interaction interaction = Interaction::if_available);
void write_page(const std::filesystem::path& path, const Page& page,
                Interaction interaction = Interaction::if_available);

// Whether figures of pages written by this library are interactive.
bool has_plotly();

// ---- A page in other forms: its tables as Markdown, its figures as files ----
//
// When: results go into a repository or a paper besides the page. Contract: figures are named by their
// titles, `mse-against-shift.svg` (or their own name, where a title holds numbers that change; or their
// section's title, where there is none), so that a name still means the same when a page has more figures;
// equal ones are numbered. The Markdown refers to them when it is told where they are. In Markdown, prose
// keeps its little markup; titles, captions and settings, which may hold any text, are shown as they
// are.

// Title, prose, tables and captions. `figures` is the folder of the figures as the reader of the text sees
// it; empty: no figures.
std::string page_markdown(const Page& page, const std::string& figures = "");

// Writes every figure as SVG, and as PNG where there is Cairo, and makes the folder; how many figures there
// were.
std::size_t write_figures(const std::filesystem::path& folder, const Page& page);

}  // namespace nouq::plot
