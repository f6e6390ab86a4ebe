#include "config/python_text.h"

#include <set>

#include "config/option_table.h"
#include "core/error.h"

namespace nouq {
namespace {

std::string python_type(const Option& option) {
  switch (option.kind) {
    case OptionKind::flag:
      return "bool";
    case OptionKind::integer:
      return "int";
    case OptionKind::real:
      return "float";
    case OptionKind::path:
      return "Union[str, ArrayLike]";  // a file, or the numbers themselves
    default:
      return "str";
  }
}

// Where a list is expected, one value will do for all.
std::string annotation(const Option& option) {
  const std::string type = python_type(option);
  if (option.list) return fmt::format("Union[{0}, Sequence[{0}]]", type);
  return option.optional ? fmt::format("Optional[{}]", type) : type;
}

std::string python_scalar(const Scalar& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("\"{}\"", *text);
  if (const auto* real = std::get_if<double>(&value)) {
    const std::string digits = fmt::format("{}", *real);
    const bool whole = digits.find_first_not_of("-0123456789") == std::string::npos;
    return whole ? digits + ".0" : digits;
  }
  return to_words({value});
}

std::string python_default(const Option& option) {
  if (!option.list)
    return option.default_values.empty() ? "None" : python_scalar(option.default_values.front());
  std::string items;
  for (const Scalar& value : option.default_values)
    items += (items.empty() ? "" : ", ") + python_scalar(value);
  return option.default_values.size() == 1 ? "(" + items + ",)" : "(" + items + ")";
}

}  // namespace

std::string python_name(const Option& option) {
  static const std::set<std::string> reserved = {
      "and",    "as",    "assert", "async",  "await",   "break", "class", "continue", "def",
      "del",    "elif",  "else",   "except", "finally", "for",   "from",  "global",   "if",
      "import", "in",    "is",     "lambda", "not",     "or",    "pass",  "raise",    "return",
      "try",    "while", "with",   "yield",  "None",    "True",  "False", "nonlocal"};
  const std::string name = identifier(option.name);
  return reserved.contains(name) ? name + "_" : name;
}

std::vector<std::string> python_keywords(const OptionTable& table) {
  std::vector<std::string> keywords;
  for (const Option& option : table.options()) {
    if (!option.command_line_only)
      keywords.push_back(
          fmt::format("{}: {} = {}", python_name(option), annotation(option), python_default(option)));
  }
  return keywords;
}

std::string python_stub(const OptionTable& table) {
  std::string text;
  for (const std::string& keyword : python_keywords(table)) text += "    " + keyword + ",\n";
  return text;
}

std::string python_documentation(const OptionTable& table) {
  std::string text;
  for (const std::string& group : table.groups()) {
    text += fmt::format("{}{}:\n", text.empty() ? "" : "\n", group);
    for (const Option& option : table.options()) {
      if (option.group != group || option.command_line_only) continue;
      text += fmt::format("  {}: {}\n", python_name(option), wrapped(explanation(option), 6, 110));
    }
  }
  return text;
}

}  // namespace nouq
