#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "plot/page.h"
#include "plot/picture.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

// Names of the figures' files without ending, in the order of the page.
class FigureNames {
 public:
  std::string next(const Section& section, const Figure& figure) {
    constexpr std::size_t longest = 80;
    std::string name = anchor_of(words_for(section, figure)).substr(0, longest);
    while (name.ends_with('-')) name.pop_back();
    if (name.empty()) name = "figure";
    std::string unused = name;
    for (int number = 2; !used_.insert(unused).second; ++number) unused = fmt::format("{}-{}", name, number);
    return unused;
  }

 private:
  static const std::string& words_for(const Section& section, const Figure& figure) {
    if (!figure.name.empty()) return figure.name;
    return figure.title.empty() ? section.title : figure.title;
  }

  std::set<std::string> used_;
};

// Prose without links to places in the page, which a text has none of.
std::string plain(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto middle = text[i] == '[' ? text.find("](#", i) : std::string::npos;
    const auto end = middle == std::string::npos ? middle : text.find(')', middle);
    if (end == std::string::npos || text.find(']', i) != middle) {
      result += text[i];
      continue;
    }
    result += text.substr(i + 1, middle - i - 1);
    i = end;
  }
  return result;
}

// A path as the target of a link, which ends at a space or a bracket.
std::string link_target(const std::string& path) {
  std::string target;
  for (const char c : path)
    target += std::string_view(" ()<>%").find(c) == std::string_view::npos ? std::string(1, c)
                                                                           : fmt::format("%{:02X}", c);
  return target;
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(std::string figures) : figures_(std::move(figures)) {}

  void add(const Section& section) {
    text += fmt::format("## {}\n\n", markdown_safe(section.title));
    for (const Block& block : section.blocks) std::visit([&](const auto& one) { add(section, one); }, block);
  }

  std::string text;

 private:
  void add(const Section& /*section*/, const Prose& prose) { text += plain(prose.text) + "\n\n"; }
  void add(const Section& section, const Figure& figure) {
    if (figures_.empty()) return;
    const std::string title = markdown_safe(figure.title);
    text += fmt::format("![{}]({}/{}.svg)\n\n{}: {}\n\n", title, link_target(figures_),
                        names_.next(section, figure), title, markdown_safe(figure.caption));
  }
  void add(const Section& /*section*/, const Table& table) { text += table_markdown(table) + "\n"; }
  void add(const Section& /*section*/, const Settings& settings) {
    text += fmt::format("{}:\n\n", markdown_safe(settings.title));
    for (const auto& [name, value] : settings.values)
      text += fmt::format("- {}: {}\n", markdown_safe(name), markdown_safe(value));
    text += "\n";
  }
  void add(const Section& /*section*/, const Code& code) { text += "```\n" + code.text + "```\n\n"; }

  std::string figures_;
  FigureNames names_;
};

}  // namespace

std::string page_markdown(const Page& page, const std::string& figures) {
  MarkdownWriter writer(figures);
  writer.text = fmt::format("# {}\n\n{}\n\n", markdown_safe(page.title), plain(page.summary));
  for (const Section& section : page.sections) writer.add(section);
  if (!page.footer.empty()) writer.text += plain(page.footer) + "\n";
  return writer.text;
}

std::size_t write_figures(const std::filesystem::path& folder, const Page& page) {
  make_folder(folder, "figures");
  FigureNames names;
  std::size_t written = 0;
  for (const Section& section : page.sections) {
    for (const Block& block : section.blocks) {
      const auto* figure = std::get_if<Figure>(&block);
      if (figure == nullptr) continue;
      const std::string name = names.next(section, *figure);
      write_svg(folder / (name + ".svg"), *figure);
      if (has_png()) write_png(folder / (name + ".png"), *figure);
      ++written;
    }
  }
  return written;
}

}  // namespace nouq::plot
