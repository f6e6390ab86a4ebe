// The page of `nouq serve`: one HTML file that asks the server it came from and nobody else.
//
// Why here: it looks like the report page and shares its style, palette and scripts. Contract: no request
// goes anywhere but to api/models and api/predict of its own server; the page forbids itself others.
#pragma once

#include <string>

namespace nouq::plot {

std::string explorer_page();

}  // namespace nouq::plot
