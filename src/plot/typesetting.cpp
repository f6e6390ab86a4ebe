#include "plot/typesetting.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace nouq::plot {
namespace {

// Length of the UTF-8 sequence that starts a text, 0 when it is broken.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  std::size_t length = 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) length = 2;
  if (lead >= 0xe0 && lead < 0xf0) length = 3;
  if (lead >= 0xf0 && lead < 0xf5) length = 4;
  if (length == 0 || text.size() < length) return 0;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  const bool whole =
      std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), continues);
  if (!whole) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool no_character = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90) ||
                            text.substr(0, 3) == "\xef\xbf\xbe" || text.substr(0, 3) == "\xef\xbf\xbf";
  return overlong || no_character ? 0 : length;
}

// What changes the direction of the text that follows, or breaks a line: a name must not make a terminal show
// another one.
bool is_invisible_control(std::string_view character) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2) return (at(0) == 0xc2 && at(1) < 0xa0) || character == "\u061c";
  if (character.size() != 3 || at(0) != 0xe2) return false;
  const bool direction =
      character == "\u200e" || character == "\u200f" || (at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9);
  return direction || (at(1) == 0x80 && at(2) >= 0xa8 && at(2) <= 0xae);
}

// In units of the font's size.
double character_width(const std::string& character) {
  static constexpr std::string_view narrow = "ijlftrI.,:;'|!()[]{} /\\-";
  static constexpr std::string_view wide = "mwMWOQGD%@<>=+";
  if (character.size() > 1) {
    const bool script = character.substr(0, 2) == "\xe2\x81" || character.substr(0, 2) == "\xc2\xb2" ||
                        character.substr(0, 2) == "\xc2\xb3" || character.substr(0, 2) == "\xc2\xb9";
    return script ? 0.42 : 0.65;
  }
  if (narrow.find(character[0]) != std::string_view::npos) return 0.38;
  if (wide.find(character[0]) != std::string_view::npos) return 0.84;
  return character[0] >= 'A' && character[0] <= 'Z' ? 0.70 : 0.62;
}

}  // namespace

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    const bool control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f ||
                         is_invisible_control(text.substr(0, length));
    result.emplace_back(length == 0 || control ? "\xef\xbf\xbd" : text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string printable(std::string_view text) {
  std::string line;
  for (const std::string& character : characters(text))
    line += character == "\n" || character == "\t" ? " " : character;
  return line;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const std::string& character : characters(text)) width += character_width(character);
  return width * size;
}

std::vector<std::string> wrap(std::string_view text, double size, double width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
    std::string longer = line;
    if (!line.empty()) longer += ' ';
    longer += word;
    if (!line.empty() && text_width(longer, size) > width) {
      lines.push_back(std::exchange(line, word));
    } else {
      line = std::move(longer);
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

std::string escape_markup(std::string_view text) {
  std::string result;
  for (const std::string& character : characters(text)) {
    if (character == "&") {
      result += "&amp;";
    } else if (character == "<") {
      result += "&lt;";
    } else if (character == ">") {
      result += "&gt;";
    } else if (character == "\"") {
      result += "&#34;";
    } else if (character == "'") {
      result += "&#39;";
    } else {
      result += character;
    }
  }
  return result;
}

std::string markdown_safe(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (std::string_view("|`*_[]\\").find(c) != std::string_view::npos) safe += '\\';
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return safe;
}

std::string escape_script(std::string_view json) {
  std::string result;
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

namespace {

// A colon before any slash would be a scheme, such as javascript:, and two slashes a host.
bool may_link(std::string_view target) {
  if (target.empty() || target.substr(0, 2) == "//") return false;
  if (target.substr(0, 8) == "https://" || target[0] == '#') return true;
  const auto unsafe = [](unsigned char c) { return c <= ' ' || c == ':' || c == '\\'; };
  return std::none_of(target.begin(), target.end(), unsafe);
}

// Takes "open words close" from the front of the text; the words, or nothing when it does not start so.
std::string_view take(std::string_view& text, std::string_view open, std::string_view close) {
  if (text.substr(0, open.size()) != open) return {};
  const std::size_t end = text.find(close, open.size());
  if (end == std::string_view::npos || end == open.size()) return {};
  const std::string_view words = text.substr(open.size(), end - open.size());
  text.remove_prefix(end + close.size());
  return words;
}

// A link at the front of the text, as HTML; empty, and the text untouched, when there is none.
std::string take_link(std::string_view& text) {
  std::string_view rest = text;
  const std::string_view words = take(rest, "[", "]");
  const std::string_view target = words.empty() ? words : take(rest, "(", ")");
  if (!may_link(target)) return "";
  text = rest;
  return fmt::format("<a href=\"{}\">{}</a>", escape_markup(target), escape_markup(words));
}

}  // namespace

std::string prose_html(std::string_view text) {
  std::string html, plain;
  const auto add = [&](const std::string& markup) {
    html += escape_markup(plain) + markup;
    plain.clear();
  };
  while (!text.empty()) {
    if (const auto code = take(text, "`", "`"); !code.empty()) {
      add("<code>" + escape_markup(code) + "</code>");
    } else if (const auto bold = take(text, "**", "**"); !bold.empty()) {
      add("<strong>" + escape_markup(bold) + "</strong>");
    } else if (const std::string link = take_link(text); !link.empty()) {
      add(link);
    } else {
      plain += text[0];
      text.remove_prefix(1);
    }
  }
  add("");
  return html;
}

std::string anchor_of(std::string_view text) {
  std::string anchor;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0 && letter < 0x80) {
      anchor += static_cast<char>(std::tolower(letter));
    } else if (!anchor.empty() && anchor.back() != '-') {
      anchor += '-';
    }
  }
  return anchor;
}

}  // namespace nouq::plot
