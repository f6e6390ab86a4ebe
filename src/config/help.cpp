#include "config/help.h"

#include <algorithm>

#include "config/describe.h"
#include "core/error.h"

namespace nouq {
namespace {

constexpr std::size_t help_column = 30;

std::string two_columns(const std::string& left, const std::string& right, std::size_t column) {
  std::string line = "  " + left;
  if (line.size() + 2 > column) {
    line += "\n" + std::string(column, ' ');
  } else {
    line.append(column - line.size(), ' ');
  }
  return line + wrapped(right, column) + "\n";
}

std::string group_help(const OptionTable& table, const std::string& group) {
  std::string text = "\n" + group + ":\n";
  for (const Option& option : table.options()) {
    if (option.group == group) text += two_columns(signature(option), explanation(option), help_column);
  }
  return text;
}

}  // namespace

std::string program_help(const Program& program) {
  std::string text = fmt::format("{}: {}\n\nusage: {} COMMAND [options]\n\nCommands:\n", program.name,
                                 program.summary, program.name);
  std::size_t longest = 0;
  for (const OptionTable* command : program.commands) longest = std::max(longest, command->name().size());
  for (const OptionTable* command : program.commands)
    text += two_columns(command->name(), command->summary(), longest + 4);
  return text + fmt::format("\n'{} COMMAND --help' explains a command, '{} --version' names the version.\n",
                            program.name, program.name);
}

std::string command_help(const std::string& program, const OptionTable& table) {
  std::string text =
      fmt::format("{} {}: {}\n\nusage: {}\n", program, table.name(), table.summary(), usage(program, table));
  if (!table.description().empty()) text += "\n" + wrapped(table.description(), 0) + "\n";
  for (const std::string& group : table.groups()) text += group_help(table, group);
  if (!table.examples().empty()) text += "\nExamples:\n";
  for (const Example& example : table.examples())
    text += fmt::format("  {}\n      {}\n", example.command, wrapped(example.meaning, 6));
  return text;
}

}  // namespace nouq
