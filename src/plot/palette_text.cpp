#include "plot/palette_text.h"

#include <fmt/format.h>

#include "core/json_types.h"

namespace nouq::plot {

std::string themes(const std::function<std::string(const std::string&, Theme)>& more) {
  const auto block = [&](const std::string& selector, Theme theme) {
    std::string text = selector + "{";
    for (const Colour colour : all_colours)
      text += fmt::format("--{}:{};", colour_name(colour), hex(rgb(colour, theme)));
    return text + "}\n" + (more ? more(selector, theme) : "");
  };
  std::string style = block(":root", Theme::light) + block(":root[data-theme=light]", Theme::light) +
                      block(":root[data-theme=dark]", Theme::dark);
  style += "@media (prefers-color-scheme: dark) {\n" + block(":root:not([data-theme])", Theme::dark) + "}\n";
  return style + "@media print {\n" + block(":root:root:root", Theme::light) + "}\n";
}

std::string palette_json() {
  OrderedJson colours;
  for (const Colour colour : all_colours)
    colours[colour_name(colour)] = {hex(rgb(colour, Theme::light)), hex(rgb(colour, Theme::dark))};
  return colours.dump();
}

std::string scales_json() {
  OrderedJson scales;
  for (const auto& [name, scale] :
       {std::pair{"sequential", ColourScale::sequential}, {"heat", ColourScale::heat}}) {
    for (const Rgb stop : colour_stops(scale)) scales[name].push_back(hex(stop));
  }
  return scales.dump();
}

}  // namespace nouq::plot
