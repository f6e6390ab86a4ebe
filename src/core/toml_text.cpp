#include "core/toml_text.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace nouq {
namespace {

constexpr std::size_t largest_text = 1U << 20U;
constexpr char mark = '~';

struct AssumptionFailed {};

bool is_plain(char c) { return static_cast<unsigned char>(c) < 0x80U; }

// Every byte outside ASCII, and the mark itself, as the mark and two hexadecimal digits. Outside quotes the
// mark is as wrong as the letter was.
std::string to_ascii(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (is_plain(c) && c != mark) {
      result += c;
    } else {
      result += fmt::format("{}{:02X}", mark, static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::string from_ascii(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == mark && i + 2 < text.size()) {
      result += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

void restore(toml::node& node);

// Keys cannot be changed in place.
void restore(toml::table& table) {
  toml::table restored;
  for (auto&& [key, node] : table) {
    restore(node);
    restored.insert(toml::key(from_ascii(key.str()), key.source()), std::move(node));
  }
  table = std::move(restored);
}

void restore(toml::node& node) {
  if (auto* text = node.as_string()) text->get() = from_ascii(text->get());
  if (auto* table = node.as_table()) restore(*table);
  if (auto* list = node.as_array()) {
    for (toml::node& item : *list) restore(item);
  }
}

}  // namespace

void detail::toml_assumption_failed() { throw AssumptionFailed{}; }

toml::table parse_toml(std::string_view text, const std::string& source) {
  require(text.size() <= largest_text, "{}: {} bytes are too many for a TOML file, at most {}", source,
          text.size(), largest_text);
  require_storable(text, source);
  const std::string_view mark_of_utf8 = "\xEF\xBB\xBF";
  if (text.starts_with(mark_of_utf8)) text.remove_prefix(mark_of_utf8.size());
  const bool plain = std::all_of(text.begin(), text.end(), is_plain);
  const char* hint = plain ? "" : " (letters outside ASCII must stand in quotes)";
  try {
    toml::table table = toml::parse(to_ascii(text));
    restore(table);
    return table;
  } catch (const toml::parse_error& error) {
    fail("{}:{}: not valid TOML: {}{}", source, error.source().begin.line, from_ascii(error.description()),
         hint);
  } catch (const AssumptionFailed&) {
    fail("{}: not valid TOML{}", source, hint);
  }
}

}  // namespace nouq
