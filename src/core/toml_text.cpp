#include "core/toml_text.h"

#include <algorithm>

#include "core/error.h"

namespace nouq {
namespace {

constexpr std::size_t largest_text = 1U << 20U;

// Walks over text and knows what is quoted or comment, where any letter may stand.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  // The next character that is neither, or 0 at the end. A quote that no quotation can begin with, being in
  // the middle of a word, counts as such a character: the parser would read on without taking it for one.
  char next() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '#') {
        skip_comment();
      } else if (is_quote(c) && std::string_view("\n\r\t =[{,").find(last_) != std::string_view::npos) {
        skip_quoted(c);
      } else {
        take(1);
        return c;
      }
    }
    return 0;
  }
  static bool is_quote(char c) { return c == '"' || c == '\''; }
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  void take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    line_ += static_cast<std::size_t>(std::count(taken.begin(), taken.end(), '\n'));
    if (!taken.empty()) last_ = taken.back();
    rest_.remove_prefix(taken.size());
  }
  void skip_comment() { take(std::min(rest_.find('\n'), rest_.size())); }

  // A quotation ends at its own mark or, unless the mark is threefold, with the line (the parser then
  // complains).
  void skip_quoted(char quote) {
    const std::string threefold(3, quote);
    const bool lines = rest_.substr(0, 3) == threefold;
    const std::string_view mark =
        lines ? std::string_view(threefold) : std::string_view(threefold).substr(0, 1);
    take(mark.size());
    while (!rest_.empty() && rest_.substr(0, mark.size()) != mark && (lines || rest_.front() != '\n'))
      take(rest_.front() == '\\' && quote == '"' ? 2 : 1);
    if (!rest_.empty() && rest_.front() != '\n') take(mark.size());
  }

  std::string_view rest_;
  char last_ = '\n';
  std::size_t line_ = 1;
};

struct AssumptionFailed {};

void require_plain_outside_quotes(std::string_view text, const std::string& source) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  Scanner scanner(text);
  while (const char c = scanner.next()) {
    const auto code = static_cast<unsigned char>(c);
    require(code < 0x80U, "{}:{}: not valid TOML: a letter outside ASCII must stand in quotes", source,
            scanner.line());
    require(!Scanner::is_quote(c), "{}:{}: not valid TOML: a quote in the middle of a word", source,
            scanner.line());
    require((code >= 0x20U && code != 0x7FU) || blank(c), "{}:{}: not valid TOML: a control character in it",
            source, scanner.line());
  }
}

}  // namespace

void detail::toml_assumption_failed() { throw AssumptionFailed{}; }

toml::table parse_toml(std::string_view text, const std::string& source) {
  require(text.size() <= largest_text, "{}: {} bytes are too many for a TOML file, at most {}", source,
          text.size(), largest_text);
  const std::string_view mark_of_utf8 = "\xEF\xBB\xBF";
  require(text.find('\0') == std::string_view::npos, "{}: not valid TOML: a zero byte in it", source);
  require_plain_outside_quotes(text.starts_with(mark_of_utf8) ? text.substr(3) : text, source);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    fail("{}:{}: not valid TOML: {}", source, error.source().begin.line, error.description());
  } catch (const AssumptionFailed&) {
    fail("{}: not valid TOML", source);
  }
}

}  // namespace nouq
