// nouq completion, nouq man: texts made from the option tables of all commands.
#include "commands.h"
#include "config/completion.h"
#include "config/manual.h"

namespace nouq::cli {
namespace {

struct CompletionOptions {
  std::string shell;
};

OptionTable completion_table(CompletionOptions& options) {
  OptionTable table("completion", "print the completion script of a shell");
  table.add("shell", options.shell, "the shell").one_of(completion_shells()).as_positional().as_required();
  table.example("source <(nouq completion bash)", "Complete commands, options and values in this shell");
  return table;
}

void print_completion(const CompletionOptions& options, Output&) {
  const std::vector<Command> commands = all_commands();
  write_to_standard_output(completion_script(describe_program(commands), options.shell));
}

struct ManOptions {
  bool markdown = false;
};

OptionTable man_table(ManOptions& options) {
  OptionTable table("man", "print the manual page");
  table.add("markdown", options.markdown, "as the reference in docs/cli.md");
  return table;
}

void print_manual(const ManOptions& options, Output&) {
  const std::vector<Command> commands = all_commands();
  const Program program = describe_program(commands);
  write_to_standard_output(options.markdown ? markdown_reference(program) : manual_page(program));
}

}  // namespace

Command completion_command() { return make_command(completion_table, print_completion); }

Command man_command() {
  Command command = make_command(man_table, print_manual);
  command.hidden = true;
  return command;
}

}  // namespace nouq::cli
