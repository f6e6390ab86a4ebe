#include "core/command_words.h"

#include "core/error.h"

namespace nouq {
namespace {

constexpr std::string_view active = "|&;<>()$`*?[]~#!\n";  // in a shell, outside of quotes
constexpr std::string_view active_in_quotes = "$`";        // within "..."

[[noreturn]] void fail_active(std::string_view text, char c) {
  fail(
      "the command '{}': '{}' would be for a shell, and none is asked; put it in single quotes to give it to the "
      "program, or give the whole line to a shell as in sh -c '...'",
      text, c == '\n' ? std::string("a new line") : std::string(1, c));
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<std::string> words() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t') {
        end_word();
      } else if (c == '\'') {
        quoted('\'');
      } else if (c == '"') {
        quoted('"');
      } else if (c == '\\') {
        require(at_ + 1 < text_.size(), "the command '{}': ends with a backslash", text_);
        put(text_[++at_]);
      } else {
        if (active.find(c) != std::string_view::npos) fail_active(text_, c);
        put(c);
      }
    }
    end_word();
    return std::move(words_);
  }

 private:
  void put(char c) {
    word_ += c;
    open_ = true;
  }
  void end_word() {
    if (open_) words_.push_back(std::move(word_));
    word_.clear();
    open_ = false;
  }
  // From one quote to the next of its kind.
  void quoted(char quote) {
    open_ = true;
    while (++at_ < text_.size() && text_[at_] != quote) {
      char c = text_[at_];
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
      if (quote == '"' && c == '\\' && (next == '"' || next == '\\'))
        c = text_[++at_];
      else if (quote == '"' && active_in_quotes.find(c) != std::string_view::npos)
        fail_active(text_, c);
      word_ += c;
    }
    require(at_ < text_.size(), "the command '{}': a quote {} is not closed", text_, quote);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool open_ = false;  // an empty pair of quotes is a word, too
  std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> command_words(std::string_view text) { return Splitter(text).words(); }

}  // namespace nouq
