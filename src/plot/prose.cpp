#include "plot/prose.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "plot/typesetting.h"

namespace nouq::plot {
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
