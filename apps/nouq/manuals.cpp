// nouq completion, nouq man: texts made from the option tables of all commands.
#include <nouq/train.h>

#include "commands.h"
#include "config/program.h"
#include "config/python_text.h"

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
  bool settings = false;
  bool python = false;
};

OptionTable man_table(ManOptions& options) {
  OptionTable table("man", "print the manual page");
  table.add("markdown", options.markdown, "as the reference in docs/cli.md");
  table.add("settings", options.settings, "the tables of docs/settings.md instead");
  table.add("python", options.python,
            "the stub of nouq.train instead, as in bindings/python/nouq/_train.pyi");
  return table;
}

// The settings of a training and of a selection, each in its words.
std::string settings_reference() {
  TrainSettings train;
  SelectSettings select;
  OptionTable of_train("train", ""), of_select("select", "");
  describe(of_train, train);
  describe(of_select, select);
  return "\n## Of a training\n" + markdown_settings(of_train) + "\n## Of a selection\n" +
         markdown_settings(of_select);
}

std::string train_stub() {
  TrainSettings settings;
  OptionTable table("train", "");
  describe(table, settings);
  return fmt::format(
      "# Written by './run docs' from the description of the settings; not to be changed by hand.\n"
      "from typing import Callable, List, Optional, Sequence, Tuple, Union\n\n"
      "from numpy.typing import ArrayLike\n\nfrom . import _nouq\n\n"
      "Data = Union[_nouq.DataSet, Tuple[ArrayLike, ArrayLike]]\n\ndef methods() -> List[str]: ...\n"
      "def train(\n    data: Data,\n    validation: Optional[Data] = None,\n    *,\n"
      "    progress: Union[bool, Callable[..., None]] = True,\n{}) -> _nouq.Model: ...\n",
      python_stub(table));
}

void print_manual(const ManOptions& options, Output&) {
  if (options.settings) return write_to_standard_output(settings_reference());
  if (options.python) return write_to_standard_output(train_stub());
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
