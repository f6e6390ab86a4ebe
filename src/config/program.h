// A program with commands, and what is made from its option tables: help, manual pages, completion of shells.
#pragma once

#include <string>
#include <vector>

#include "config/option_table.h"

namespace nouq {

struct Program {
  std::string name;
  std::string version;
  std::string summary;                       // one line
  std::string description;                   // some sentences, paragraphs separated by an empty line
  std::vector<const OptionTable*> commands;  // in the order of the help
};

// The heading of the options that every command has; manuals show them once.
inline const std::string common_group = "Common options";

// What --help prints: the commands of the program, one line each.
std::string program_help(const Program& program);
// The options of one command.
std::string command_help(const std::string& program, const OptionTable& table);

// The page for man(1), in roff's man macros, with all commands on one page.
std::string manual_page(const Program& program);
// One section of Markdown per command.
std::string markdown_reference(const Program& program);

// The docs' tables of settings: one per group, with name, what it may be, default, meaning and paragraph.
std::string markdown_settings(const OptionTable& table);

// Completion of commands, options and values: the shells that are known.
std::vector<std::string> completion_shells();
// The script that the shell reads; throws for a shell that is not among the above.
std::string completion_script(const Program& program, const std::string& shell);

}  // namespace nouq
