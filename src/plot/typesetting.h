// Text on a picture: how wide it will be, where to break it, how to make it safe.
//
// Why: margins and legends are laid out before a font is known (an SVG is set in the reader's own). So widths
// are estimates, on the generous side, from the classes of letters of common sans-serif fonts. Contract:
// strings are UTF-8; broken bytes are replaced, never passed on, and nothing here throws on odd text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nouq::plot {

// The characters of a text, each as its UTF-8 bytes; broken or control bytes become U+FFFD.
std::vector<std::string> characters(std::string_view text);

// The text with what `characters` replaces replaced, on one line.
std::string printable(std::string_view text);

double text_width(std::string_view text, double size);

// Lines not wider than `width` where blanks allow it.
std::vector<std::string> wrap(std::string_view text, double size, double width);

// For element content and quoted attributes of XML and HTML.
std::string escape_markup(std::string_view text);

// For the running text and the tables of Markdown: shown as it is, on one line.
std::string markdown_safe(std::string_view text);

// For JSON inside a <script> element: no "</", "<!--" or "<script" remains, the meaning is the same.
std::string escape_script(std::string_view json);

// ---- The markup of prose in the page ----

// `code`, **bold** and [words](target) as HTML, all else escaped. A link whose target is neither a place in
// the page (#id), a relative path nor https stays text.
std::string prose_html(std::string_view text);

// Letters, digits and dashes of a text, in lower case: a name for a place in the page.
std::string anchor_of(std::string_view text);

}  // namespace nouq::plot
