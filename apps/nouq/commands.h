// The commands of the tool. Adding one is one file and one line in commands.def.
//
// The file holds a struct with the options and their defaults, a function that makes the option table around
// such a struct, a function that runs, and the one function it offers:
//
//   Command thing_command() { return make_command(thing_table, run_thing); }
//
// From the table come the parser, --config and --print-config, --help, the manual page, docs/cli.md and the
// completion of shells. Contract: a command throws nouq::Error; main turns it into one line and the exit code
// (2: the user can mend it, 1: it failed). What it has to say goes through Output.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/option_table.h"
#include "config/program.h"
#include "output.h"

namespace nouq::cli {

// What every command has; `make_command` adds it to the table.
struct CommonOptions {
  bool quiet = false;
  bool json = false;
  std::filesystem::path config;
  std::string preset;  // of commands whose table offers it (study/presets.h)
  bool print_config = false;
  bool help = false;
};

struct Command {
  OptionTable table;
  std::shared_ptr<CommonOptions> common;
  std::function<void(Output&)> run;
  std::string_view (*preset_text)(const std::string& name) = nullptr;  // TOML; where --preset gives options
  bool hidden = false;           // works, but is not shown in help and manual
  std::string unavailable = {};  // why this build does not have it
};

void add_common_options(OptionTable& table, CommonOptions& common);

template <class Options>
Command make_command(OptionTable (*make_table)(Options&), void (*run)(const Options&, Output&)) {
  const auto options = std::make_shared<Options>();
  Command command{make_table(*options), std::make_shared<CommonOptions>(),
                  [options, run](Output& output) { run(*options, output); }};
  add_common_options(command.table, *command.common);
  return command;
}

#define NOUQ_COMMAND(name) Command name##_command();
#include "commands.def"
#undef NOUQ_COMMAND

std::vector<Command> all_commands();
// The program as help and manual see it; the commands must outlive it.
Program describe_program(const std::vector<Command>& commands);

}  // namespace nouq::cli
