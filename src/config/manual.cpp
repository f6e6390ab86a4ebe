#include <algorithm>

#include "config/option_table.h"
#include "config/program.h"
#include "core/error.h"

namespace nouq {
namespace {

// Text as roff prints it: no dash turned into a hyphen, no leading dot or quote taken for a request.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  const bool request = result.starts_with('.') || result.starts_with('\'');
  return request ? "\\&" + result : result;
}

std::string roff_paragraphs(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n\n", at)) != std::string::npos; at += 5)
    text.replace(at, 2, "\n.PP\n");
  return text;
}

std::string roff_options(const OptionTable& table, bool common) {
  std::string text;
  for (const Option& option : table.options()) {
    if ((option.group == common_group) != common) continue;
    text += fmt::format(".TP\n.B {}\n{}\n", roff(signature(option)), roff(explanation(option)));
  }
  return text;
}

std::string roff_command(const Program& program, const OptionTable& table) {
  std::string text = fmt::format(".SS {}\n.B {}\n.PP\n{}.\n", table.name(), roff(usage(program.name, table)),
                                 roff(table.summary()));
  if (!table.description().empty()) text += ".PP\n" + roff(table.description()) + "\n";
  text += roff_options(table, false);
  for (const Example& example : table.examples())
    text +=
        fmt::format(".PP\n{}:\n.PP\n.nf\n.RS\n{}\n.RE\n.fi\n", roff(example.meaning), roff(example.command));
  return text;
}

// A cell of a table: a bar would end it.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\\|");
  return text;
}

std::string markdown_options(const OptionTable& table, bool common) {
  std::string rows;
  for (const Option& option : table.options()) {
    if ((option.group == common_group) == common)
      rows += fmt::format("| `{}` | {} |\n", cell(signature(option)), cell(explanation(option)));
  }
  return rows.empty() ? "" : "\n| option | meaning |\n|---|---|\n" + rows;
}

std::string markdown_command(const Program& program, const OptionTable& table) {
  std::string text = fmt::format("\n### {0} {1}\n\n`{2}`: {3}.\n", program.name, table.name(),
                                 usage(program.name, table), table.summary());
  if (!table.description().empty()) text += "\n" + wrapped(table.description(), 0, 110) + "\n";
  text += markdown_options(table, false);
  for (const Example& example : table.examples())
    text += fmt::format("\n{}:\n\n```sh\n{}\n```\n", example.meaning, example.command);
  return text;
}

// "`weight-decay`: a number of at least 0, default 0.0001; since 0.2".
std::string settings_row(const Option& option) {
  std::string allowed = expectation(option) + (option.unit.empty() ? "" : ", in " + option.unit);
  if (is_set(option.default_values)) allowed += "; default " + to_words(option.default_values);
  if (!option.since.empty()) allowed += "; since " + option.since;
  std::string meaning = option.help + ".";
  if (!option.paragraph.empty()) meaning += " " + option.paragraph;
  return fmt::format("| `{}` | {} | {} |\n", option.name, cell(allowed), cell(meaning));
}

}  // namespace

std::string markdown_settings(const OptionTable& table) {
  std::string text;
  for (const std::string& group : table.groups()) {
    text += fmt::format("\n### {}\n\n| setting | may be | meaning |\n|---|---|---|\n", group);
    for (const Option& option : table.options()) {
      if (option.group == group && !option.command_line_only) text += settings_row(option);
    }
  }
  return text;
}

std::string manual_page(const Program& program) {
  std::string text = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", in_capitals(program.name),
                                 program.name, program.version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", program.name, roff(program.summary));
  text += fmt::format(".SH SYNOPSIS\n.B {}\n.I COMMAND\n[options]\n", program.name);
  text += ".SH DESCRIPTION\n" + roff_paragraphs(roff(program.description)) + "\n";
  text += ".SH COMMANDS\n";
  for (const OptionTable* command : program.commands) text += roff_command(program, *command);
  text += ".SH OPTIONS OF EVERY COMMAND\n";
  if (!program.commands.empty()) text += roff_options(*program.commands.front(), true);
  return text +
         ".SH EXIT STATUS\n.TP\n.B 0\nAll went well.\n.TP\n.B 1\nThe request was fine, doing it failed.\n"
         ".TP\n.B 2\nThe request cannot be met as asked; the message says what to change.\n"
         ".TP\n.B 130\nStopped by the user.\n";
}

std::string markdown_reference(const Program& program) {
  std::string text;
  for (const OptionTable* command : program.commands) text += markdown_command(program, *command);
  text += "\n### Options of every command\n";
  if (!program.commands.empty()) text += markdown_options(*program.commands.front(), true);
  return text;
}

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
