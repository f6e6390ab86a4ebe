#include "commands.h"

namespace nouq::cli {

void add_common_options(OptionTable& table, CommonOptions& common) {
  table.group(common_group);
  table.add("quiet", common.quiet, "say nothing on standard error but errors").with_letter('q');
  table.add("json", common.json, "the result as JSON on standard output, and nothing else there");
  table.add("config", common.config, "take options from this TOML file; the command line goes first")
      .with_letter('c')
      .only_on_command_line();
  table.add("print-config", common.print_config, "print the configuration in effect as TOML and stop")
      .only_on_command_line();
  table.add("help", common.help, "print this help and stop").with_letter('h').only_on_command_line();
}

std::vector<Command> all_commands() {
  std::vector<Command> commands;
#define NOUQ_COMMAND(name) commands.push_back(name##_command());
#include "commands.def"
#undef NOUQ_COMMAND
  return commands;
}

Program describe_program(const std::vector<Command>& commands) {
  Program program;
  program.name = "nouq";
  program.version = NOUQ_VERSION;
  program.summary = "neural operators that know when they are wrong and obey physics";
  program.description =
      "nouq learns from a few hundred runs of a solver to map parameters or functions to solutions of a PDE, "
      "says how far each of its answers can be trusted, and makes them obey conservation laws.\n\n"
      "Results go to standard output, everything else to standard error. Every option can also stand in a "
      "TOML file, in a table with the name of the command; --print-config writes such a file.";
  for (const Command& command : commands) {
    if (!command.hidden) program.commands.push_back(&command.table);
  }
  return program;
}

}  // namespace nouq::cli
