#include "parser.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "core/error.h"
#include "core/names.h"

namespace nouq::cli {
namespace {

CLI::Option* add(CLI::App& parser, const Option& option) {
  std::string names = "--" + option.name;
  if (option.letter != 0) names += fmt::format(",-{}", option.letter);
  if (option.positional) names += "," + option.name;
  if (option.kind == OptionKind::flag && !option.list) return parser.add_flag(names);
  CLI::Option* added = parser.add_option(names);
  added->expected(1);
  if (option.positional && option.list)
    added->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
  return added->take_all();
}

[[noreturn]] void refuse(const std::string& word, const OptionTable& table) {
  const std::string name = word.substr(0, word.find('='));
  if (!name.starts_with("-"))
    fail("{}: '{}' is one word too many; 'nouq {} --help' shows what it takes", table.name(), word,
         table.name());
  std::vector<std::string> valid;
  for (const Option& option : table.options()) valid.push_back("--" + option.name);
  fail("{}: unknown option '{}'; did you mean '{}'? 'nouq {} --help' lists them", table.name(), name,
       nearest_name(name, valid), table.name());
}

}  // namespace

GivenWords sort_words(const OptionTable& table, std::vector<std::string> words) {
  CLI::App parser;
  parser.set_help_flag();
  parser.allow_extras();
  std::map<std::string, CLI::Option*> added;
  for (const Option& option : table.options()) added[option.name] = add(parser, option);
  // Only the last word can lack its value: any other takes the next word for it.
  const std::string last = words.empty() ? "" : words.back();
  std::reverse(words.begin(), words.end());  // as the library wants them
  try {
    parser.parse(words);
  } catch (const CLI::ArgumentMismatch&) {
    fail("{}: {} needs a value; 'nouq {} --help' says which", table.name(), last, table.name());
  } catch (const CLI::ParseError& error) {
    fail("{}: {}", table.name(), error.what());
  }
  const std::vector<std::string> extras = parser.remaining();
  const auto unknown =
      std::find_if(extras.begin(), extras.end(), [](const auto& word) { return word.starts_with('-'); });
  if (!extras.empty()) refuse(unknown == extras.end() ? extras.front() : *unknown, table);
  GivenWords given;
  for (const auto& [name, option] : added) {
    if (option->count() > 0) given[name] = option->results();
  }
  return given;
}

}  // namespace nouq::cli
