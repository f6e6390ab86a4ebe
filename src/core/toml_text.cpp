#include "core/toml_text.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/error.h"
#include "core/text.h"

namespace nouq {
namespace {

constexpr std::size_t largest_text = 1U << 20U;
constexpr int deepest_keys = 100;

struct AssumptionFailed {};

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_plain(char c) { return static_cast<unsigned char>(c) < 0x80U; }

// Stands before the two hexadecimal digits of a byte. It has no place outside quotes in TOML, and no escape
// of the text may make one, which would then be taken for ours.
char choose_mark(std::string_view text, const std::string& source) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), lower_case);
  for (const char c : std::string_view("~^`@|")) {
    if (lower.find(fmt::format("00{:02x}", c)) == std::string::npos) return c;
  }
  fail("{}: too many characters are written as \\u escapes; write them as they are", source);
}

// Every byte outside ASCII, and the mark itself, as the mark and two hexadecimal digits. Outside quotes the
// mark is as wrong as the letter was.
std::string to_ascii(std::string_view text, char mark) {
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

std::string from_ascii(std::string_view text, char mark) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == mark && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      result += static_cast<char>(byte);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

void restore(toml::node& node, char mark);

// Keys cannot be changed in place.
void restore(toml::table& table, char mark) {
  toml::table restored;
  for (auto&& [key, node] : table) {
    restore(node, mark);
    restored.insert(toml::key(from_ascii(key.str(), mark), key.source()), std::move(node));
  }
  table = std::move(restored);
}

void restore(toml::node& node, char mark) {
  if (auto* text = node.as_string()) text->get() = from_ascii(text->get(), mark);
  if (auto* table = node.as_table()) restore(*table, mark);
  if (auto* list = node.as_array()) {
    for (toml::node& item : *list) restore(item, mark);
  }
}

// How deep keys and brackets nest. The parser and its tables recurse once per level of a.b.c, without a
// limit.
class DepthOfKeys {
 public:
  explicit DepthOfKeys(std::string_view text) : text_(text) {}

  [[nodiscard]] int deepest() {
    while (at_ < text_.size()) step(text_[at_]);
    return deepest_;
  }

 private:
  void step(char c) {
    if (c == '#') return skip_to(text_.find('\n', at_));
    if (c == '"' || c == '\'') return skip_quoted(c);
    if (c == '[' || c == '{') {
      open_.push_back(levels_ + 1);
      enclosing_ += open_.back();
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      enclosing_ -= open_.back();
      open_.pop_back();
    }
    if (c == '.') {
      ++levels_;
    } else if (std::string_view("[]{},").find(c) != std::string_view::npos || (c == '\n' && open_.empty())) {
      levels_ = 0;  // but not at '=': what comes after "a.b.c =" is within c
    }
    deepest_ = std::max(deepest_, enclosing_ + levels_);
    ++at_;
  }

  void skip_to(std::size_t place) { at_ = std::min(place, text_.size()); }

  void skip_quoted(char quote) {
    const bool lines = text_.substr(at_, 3) == std::string(3, quote);
    const std::string end(lines ? 3 : 1, quote);
    for (at_ += end.size(); at_ < text_.size(); ++at_) {
      if (text_.substr(at_, end.size()) == end) return skip_to(at_ + end.size());
      if (!lines && text_[at_] == '\n') return;
      if (quote == '"' && text_[at_] == '\\') ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<int> open_;  // levels that each open bracket adds
  int enclosing_ = 0;      // their sum
  int levels_ = 0;         // of the key at hand
  int deepest_ = 0;
};

}  // namespace

void detail::toml_assumption_failed() { throw AssumptionFailed{}; }

toml::table parse_toml(std::string_view text, const std::string& source) {
  require(text.size() <= largest_text, "{}: {} bytes are too many for a TOML file, at most {}", source,
          text.size(), largest_text);
  require_storable(text, source);
  const std::string_view mark_of_utf8 = "\xEF\xBB\xBF";
  if (text.starts_with(mark_of_utf8)) text.remove_prefix(mark_of_utf8.size());
  const int depth = DepthOfKeys(text).deepest();
  require(depth <= deepest_keys, "{}: keys and brackets nest {} deep, expected at most {}", source, depth,
          deepest_keys);
  const bool plain = std::all_of(text.begin(), text.end(), is_plain);
  const char* hint = plain ? "" : " (letters outside ASCII must stand in quotes)";
  const char mark = choose_mark(text, source);
  try {
    toml::table table = toml::parse(to_ascii(text, mark));
    restore(table, mark);
    return table;
  } catch (const toml::parse_error& error) {
    fail("{}:{}: not valid TOML: {}{}", source, error.source().begin.line,
         from_ascii(error.description(), mark), hint);
  } catch (const AssumptionFailed&) {
    fail("{}: not valid TOML{}", source, hint);
  }
}

}  // namespace nouq
