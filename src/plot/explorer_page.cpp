#include "plot/explorer_page.h"

#include <fmt/format.h>

#include "plot/assets.h"
#include "plot/palette_text.h"

namespace nouq::plot {
namespace {

// In the order in which they use each other.
std::string scripts() {
  using namespace assets;
  std::string text(theme_script);
  for (const auto part : {explorer_fields, explorer_figure, explorer_files, explorer_draw, explorer_picture,
                          explorer_link, explorer_server, explorer_controls, explorer_explorer})
    text += part;
  return text;
}

}  // namespace

std::string explorer_page() {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; form-action 'none'; base-uri "
      "'none'\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n<link rel=\"icon\" href=\"data:,\"/>\n"
      "<title>Explorer - nouq</title>\n<style>\n{}{}{}</style>\n</head>\n<body>\n{}"
      "<script type=\"application/json\" id=\"palette\">{}</script>\n"
      "<script type=\"application/json\" id=\"scales\">{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      assets::page_style, assets::explorer_style, themes(), assets::explorer_body, palette_json(),
      scales_json(), scripts());
}

}  // namespace nouq::plot
