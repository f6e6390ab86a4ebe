// One self-contained page: prose, figures, tables and settings in a single HTML file.
//
// Why: a result is passed on as one file that opens anywhere, for years, without network. When: fill a `Page`
// and call `write_page`. Contract: no request leaves the page (it forbids them to itself); every string is
// escaped; all figures are in it as drawings, so it prints and works without scripts; where Plotly's bundle
// was built in, they come alive on screen. Light and dark follow the reader's system until the reader
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

// Whether figures of pages written by this library come alive.
bool has_plotly();

}  // namespace nouq::plot
