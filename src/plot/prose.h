// The little markup of prose in the page.
#pragma once

#include <string>
#include <string_view>

namespace nouq::plot {

// `code`, **bold** and [words](target) as HTML, all else escaped. A link whose target is neither a place in
// the page
// (#id), a relative path nor https stays text.
std::string prose_html(std::string_view text);

// Letters, digits and dashes of a text, in lower case: a name for a place in the page.
std::string anchor_of(std::string_view text);

}  // namespace nouq::plot
