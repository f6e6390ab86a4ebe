#include "config/describe.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/error.h"

namespace nouq {
namespace {

// Only what the value's name does not say already: "an integer" for N is noise, a range or choices are not.
std::string restriction(const Option& option) {
  Option plain;
  plain.kind = option.kind;
  plain.list = option.list;
  const std::string allowed = expectation(option);
  return allowed == expectation(plain) ? "" : allowed;
}

std::string default_words(const Option& option) {
  if (option.kind == OptionKind::flag || !is_set(option.default_values)) return "";
  return "default " + to_words(option.default_values);
}

}  // namespace

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string signature(const Option& option) {
  if (option.positional) return in_capitals(option.name) + (option.list ? "..." : "");
  std::string text = option.letter != 0 ? fmt::format("-{}, ", option.letter) : "";
  text += "--" + option.name;
  if (option.kind != OptionKind::flag) text += " " + option.value_name + (option.list ? ",..." : "");
  return text;
}

std::string explanation(const Option& option) {
  const std::string allowed = restriction(option);
  const std::string initial = default_words(option);
  const std::string need = option.required ? "required" : "";
  std::string remarks;
  for (const std::string& remark : {need, allowed, initial}) {
    if (!remark.empty()) remarks += (remarks.empty() ? "" : "; ") + remark;
  }
  return remarks.empty() ? option.help : fmt::format("{} ({})", option.help, remarks);
}

std::string usage(const std::string& program, const OptionTable& table) {
  std::string text = program + " " + table.name();
  for (const Option& option : table.options()) {
    if (!option.positional) continue;
    text += option.required ? " " + signature(option) : " [" + signature(option) + "]";
  }
  return text + " [options]";
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string result;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) result += ' ';
    column += word.size() + (column > indent ? 1 : 0);
    result += word;
  }
  return result;
}

}  // namespace nouq
