#include "plot/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "plot/assets.h"
#include "plot/palette_text.h"
#include "plot/picture.h"
#include "plot/plotly.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

// For a phone's screen: panels below each other, small multiples in pairs; a map and its colour bar need the
// whole width.
LayoutOptions narrow_layout(const Figure& figure) {
  const bool maps = std::any_of(figure.panels.begin(), figure.panels.end(),
                                [](const Panel& panel) { return heat_map_of(panel) != nullptr; });
  return {.width = 360, .columns = figure.panels.size() > 6 && !maps ? 2 : 1, .title = false};
}

class PageWriter {
 public:
  PageWriter(const Page& page, bool interactive) : page_(page), interactive_(interactive) {}

  std::string write() {
    std::string body = header() + contents() + "<main>\n";
    for (std::size_t s = 0; s < page_.sections.size(); ++s) body += section(s);
    return head() + "<body>\n" + body + "</main>\n" + footer() + scripts() + "</body>\n</html>\n";
  }

 private:
  // The policy keeps the page from connecting to anything, whatever is in it.
  [[nodiscard]] std::string head() const {
    std::string style(assets::page_style);
    style += themes([](const std::string& selector, Theme theme) { return svg_style(selector, theme); });
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'; base-uri 'none'\"/>\n"
        "<meta name=\"color-scheme\" content=\"light "
        "dark\"/>\n<title>{}</title>\n<style>\n{}</style>\n</head>\n",
        escape_markup(page_.title), style);
  }

  [[nodiscard]] std::string header() const {
    std::string text = "<header>\n<button id=\"theme\" type=\"button\" hidden=\"hidden\">Dark</button>\n";
    text += "<h1>" + escape_markup(page_.title) + "</h1>\n";
    if (!page_.summary.empty()) text += "<p class=\"summary\">" + prose_html(page_.summary) + "</p>\n";
    return text + "</header>\n";
  }

  [[nodiscard]] std::string id_of(std::size_t s) const {
    const std::string& id = page_.sections[s].id;
    return id.empty() ? fmt::format("section-{}", s + 1) : anchor_of(id);
  }

  [[nodiscard]] bool has_contents() const { return page_.sections.size() >= 3; }

  [[nodiscard]] std::string contents() const {
    if (!has_contents()) return "";
    std::string text = "<nav id=\"contents\" aria-label=\"Contents\">\n<ul>\n";
    for (std::size_t s = 0; s < page_.sections.size(); ++s)
      text +=
          fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id_of(s), escape_markup(page_.sections[s].title));
    return text + "</ul>\n</nav>\n";
  }

  std::string section(std::size_t s) {
    const char* up =
        has_contents() ? "<a class=\"up\" href=\"#contents\" aria-label=\"to the contents\">↑</a>\n" : "";
    std::string text = fmt::format("<section id=\"{}\">\n{}<h2>{}</h2>\n", id_of(s), up,
                                   escape_markup(page_.sections[s].title));
    for (const Block& block : page_.sections[s].blocks)
      text += std::visit([&](const auto& b) { return block_html(b); }, block);
    return text + "</section>\n";
  }

  static std::string block_html(const Prose& prose) { return "<p>" + prose_html(prose.text) + "</p>\n"; }
  static std::string block_html(const Code& code) { return "<pre>" + escape_markup(code.text) + "</pre>\n"; }

  static std::string block_html(const Settings& settings) {
    const std::string id = settings.id.empty() ? "" : fmt::format(" id=\"{}\"", anchor_of(settings.id));
    std::string text =
        fmt::format("<details{}>\n<summary>{}</summary>\n<dl>\n", id, escape_markup(settings.title));
    for (const auto& [name, value] : settings.values)
      text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_markup(name), escape_markup(value));
    return text + "</dl>\n</details>\n";
  }

  static std::string drawing(const Figure& figure, const LayoutOptions& layout) {
    return svg(figure, {.layout = layout, .standalone = false});
  }

  // The drawing is always there: for print, for readers without scripts, and until Plotly has drawn. A figure
  // that is not interactive has a second drawing for narrow screens.
  std::string block_html(const Figure& figure) {
    const LayoutOptions wide = {.title = false};
    std::string text = fmt::format("<figure class=\"figure\" id=\"figure-{}\">\n", ++figures_);
    if (!figure.title.empty()) text += "<h3>" + escape_markup(figure.title) + "</h3>\n";
    text += "<div class=\"drawing wide\">\n" + drawing(figure, wide) + "</div>\n";
    if (interactive_) {
      text += fmt::format("<div class=\"plot\" role=\"img\" aria-label=\"{}\"></div>\n",
                          escape_markup(figure.title)) +
              figure_data(figure);
    } else {
      text += "<div class=\"drawing narrow\">\n" + drawing(figure, narrow_layout(figure)) + "</div>\n";
    }
    return text + caption("Figure", figures_, figure.caption) + "</figure>\n";
  }

  static std::string figure_data(const Figure& figure) {
    const Json json = {{"data", plotly_traces(figure)},
                       {"wide", plotly_layout(figure, {.title = false})},
                       {"narrow", plotly_layout(figure, narrow_layout(figure))}};
    return "<script type=\"application/json\">" + escape_script(json.dump()) + "</script>\n";
  }

  std::string block_html(const Table& table) {
    std::string text = fmt::format("<figure class=\"table\" id=\"table-{}\">\n", ++tables_);
    if (!table.title.empty()) text += "<h3>" + escape_markup(table.title) + "</h3>\n";
    text += "<div class=\"scroll\">\n" + table_html(table) + "</div>\n";
    std::string words = table.caption;
    if (has_references(table))
      words += (words.empty() ? "" : " ") + ("In brackets: " + table.reference_name + ".");
    return text + caption("Table", tables_, words) + "</figure>\n";
  }

  static std::string caption(const char* kind, std::size_t number, const std::string& words) {
    return fmt::format("<figcaption><b>{} {}.</b> {}</figcaption>\n", kind, number, prose_html(words));
  }

  [[nodiscard]] std::string footer() const {
    std::string text = "<footer>\n";
    if (!page_.footer.empty()) text += "<p>" + prose_html(page_.footer) + "</p>\n";
    if (interactive_)
      text +=
          "<p>Interactive figures: plotly.js, © Plotly, Inc., MIT licence; its notice is in this file.</p>\n";
    return text + "</footer>\n";
  }

  [[nodiscard]] std::string scripts() const {
    std::string text = interactive_ ? fmt::format("<script>{}</script>\n", assets::plotly) : "";
    text += "<script type=\"application/json\" id=\"palette\">" + palette_json() + "</script>\n";
    return text + fmt::format("<script>\n{}{}</script>\n", assets::theme_script, assets::page_script);
  }

  const Page& page_;
  bool interactive_;
  std::size_t figures_ = 0, tables_ = 0;
};

}  // namespace

bool has_plotly() { return !assets::plotly.empty(); }

std::string page_html(const Page& page, Interaction interaction) {
  require(!page.sections.empty(), "page '{}' has no sections", page.title);
  return PageWriter(page, interaction == Interaction::if_available && has_plotly()).write();
}

void write_page(const std::filesystem::path& path, const Page& page, Interaction interaction) {
  write_file_atomically(path, page_html(page, interaction));
}

}  // namespace nouq::plot
