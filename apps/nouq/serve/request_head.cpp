#include "serve/request_head.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace nouq::cli {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

// The value of the only header of that name; nothing when there is none, an empty text when there are
// several.
std::optional<std::string_view> header(std::string_view head, std::string_view name) {
  std::optional<std::string_view> value;
  while (!head.empty()) {
    const auto end = std::min(head.find('\n'), head.size() - 1);
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 1);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !same_letters(trimmed(line.substr(0, colon)), name)) continue;
    value = value ? std::string_view() : trimmed(line.substr(colon + 1));
  }
  return value;
}

}  // namespace

RequestExtent extent_of(std::string_view bytes, std::size_t longest_head, std::size_t longest_body) {
  RequestExtent extent;
  const auto end = bytes.substr(0, longest_head).find("\r\n\r\n");
  if (end == std::string_view::npos) {
    extent.complete = bytes.size() >= longest_head;
    extent.size = bytes.size();
    return extent;
  }
  extent.head = end + 4;
  const std::string_view head = bytes.substr(0, extent.head);
  std::size_t body = 0;
  if (const auto length = header(head, "Content-Length")) {
    const char* last = length->data() + length->size();
    const auto [stopped, error] = std::from_chars(length->data(), last, body);
    if (error != std::errc() || stopped != last) body = longest_body + 1;
  }
  const bool unread = body > longest_body || header(head, "Transfer-Encoding").has_value();
  extent.size = unread ? extent.head : extent.head + body;
  extent.complete = bytes.size() >= extent.size;
  extent.wants_to_be_asked = header(head, "Expect").has_value();
  return extent;
}

}  // namespace nouq::cli
