// The palette as a page has it: variables of its style, and JSON for its scripts.
#pragma once

#include <functional>
#include <string>

#include "plot/colour.h"

namespace nouq::plot {

// Style sheet text that sets the palette's variables for each way a page may be shown: light, dark, as the
// system is while no script has run, and always light on paper. `more(selector, theme)` adds what else
// depends on the theme.
std::string themes(const std::function<std::string(const std::string& selector, Theme theme)>& more = {});

std::string palette_json();  // {"ink": ["#1f2933", "#e6e9ed"], ...}: light, dark
std::string scales_json();   // {"sequential": ["#440154", ...], ...}

}  // namespace nouq::plot
