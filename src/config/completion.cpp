#include "config/option_table.h"
#include "config/program.h"
#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), " "));
}

// For text between single quotes.
std::string escaped(const std::string& text, const std::string& characters, const std::string& replacement) {
  std::string result;
  for (const char c : text)
    result += characters.find(c) == std::string::npos ? std::string(1, c) : replacement + c;
  return result;
}

std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::vector<std::string> command_names(const Program& program) {
  std::vector<std::string> names;
  for (const OptionTable* command : program.commands) names.push_back(command->name());
  return names;
}

std::vector<std::string> option_words(const OptionTable& table) {
  std::vector<std::string> words;
  for (const Option& option : table.options()) {
    if (option.positional) {
      words.insert(words.end(), option.choices.begin(), option.choices.end());
    } else {
      words.push_back("--" + option.name);
    }
  }
  return words;
}

// --- bash: one case per option that takes a value, one per command --------------------------------------

std::string bash_pattern(const OptionTable& table, const Option& option) {
  const std::string spelled = fmt::format("{}:--{}", table.name(), option.name);
  return option.letter == 0 ? spelled : fmt::format("{}|{}:-{}", spelled, table.name(), option.letter);
}

std::string bash_values(const OptionTable& table) {
  std::string cases;
  for (const Option& option : table.options()) {
    if (option.kind == OptionKind::flag) continue;
    const std::string action = !option.choices.empty() ? "words=" + shell_quoted(joined(option.choices))
                               : option.kind == OptionKind::path ? "files=yes"
                                                                 : "true";
    cases += fmt::format("    {}) {} ;;\n", bash_pattern(table, option), action);
  }
  return cases;
}

std::string bash_script(const Program& program) {
  std::string values;
  std::string commands;
  for (const OptionTable* command : program.commands) {
    values += bash_values(*command);
    commands += fmt::format("        {}) words={} files=yes ;;\n", command->name(),
                            shell_quoted(joined(option_words(*command))));
  }
  const std::string names = joined(command_names(program));
  return fmt::format(R"(# bash completion for {0}
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local command= words= files=
  ((COMP_CWORD > 1)) && command=${{COMP_WORDS[1]}}
  case $command:$previous in
{1}    *)
      case $command in
        '') words='{2} --help --version' ;;
{3}      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $files && $current != -* ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -F _{0} {0}
)",
                     program.name, values, names, commands);
}

// --- zsh: _arguments per command ------------------------------------------------------------------------

std::string zsh_action(const Option& option) {
  if (!option.choices.empty()) return "(" + joined(option.choices) + ")";
  return option.kind == OptionKind::path ? "_files" : "";
}

std::string zsh_option(const Option& option) {
  const std::string help = escaped(option.help, "[]:\\", "\\");
  if (option.positional)
    return shell_quoted(fmt::format("{}:{}:{}", option.list ? "*" : "", option.name, zsh_action(option)));
  const std::string value =
      option.kind == OptionKind::flag
          ? ""
          : fmt::format(":{}:{}", escaped(option.value_name, ":\\", "\\"), zsh_action(option));
  const std::string rest = fmt::format("[{}]{}", help, value);
  const std::string repeat = option.list ? "*" : "";
  std::string text = shell_quoted(repeat + "--" + option.name + rest);
  if (option.letter != 0) text += " " + shell_quoted(fmt::format("{}-{}{}", repeat, option.letter, rest));
  return text;
}

std::string zsh_script(const Program& program) {
  std::string names;
  std::string cases;
  for (const OptionTable* command : program.commands) {
    names += "    " + shell_quoted(escaped(command->name(), ":\\", "\\") + ":" + command->summary()) + "\n";
    cases += fmt::format("    {}) _arguments", command->name());
    for (const Option& option : command->options()) cases += " \\\n      " + zsh_option(option);
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef {0}
_{0}() {{
  local -a commands
  commands=(
{1}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{2}  esac
}}
compdef _{0} {0}
)",
                     program.name, names, cases);
}

// --- fish: one line per command and option ---------------------------------------------------------------

std::string fish_option(const Program& program, const OptionTable& table, const Option& option) {
  std::string line =
      fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", program.name, table.name());
  if (!option.positional) line += " -l " + option.name;
  if (!option.positional && option.letter != 0) line += fmt::format(" -s {}", option.letter);
  if (!option.choices.empty()) {
    line += " -xa " + shell_quoted(joined(option.choices));
  } else if (option.kind == OptionKind::path) {
    line += " -rF";
  } else if (option.kind != OptionKind::flag) {
    line += " -x";
  }
  return line + " -d '" + escaped(option.help, "'\\", "\\") + "'\n";
}

std::string fish_script(const Program& program) {
  std::string text = "# fish completion for " + program.name + "\n";
  for (const OptionTable* command : program.commands) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -fa {} -d '{}'\n", program.name,
                        command->name(), escaped(command->summary(), "'\\", "\\"));
    for (const Option& option : command->options()) text += fish_option(program, *command, option);
  }
  return text;
}

}  // namespace

std::vector<std::string> completion_shells() { return {"bash", "zsh", "fish"}; }

std::string completion_script(const Program& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  if (shell == "zsh") return zsh_script(program);
  if (shell == "fish") return fish_script(program);
  fail_unknown_name("shell", shell, completion_shells());
}

}  // namespace nouq
