#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include <fcntl.h>
#include <nouq/kernels.h>
#include <unistd.h>

#include "commands.h"
#include "config/program.h"
#include "config/toml.h"
#include "core/communicator.h"
#include "core/error.h"
#include "core/names.h"
#include "interrupt.h"
#include "job.h"
#include "parser.h"
#include "plot/typesetting.h"
#include "unattended.h"

namespace nouq::cli {
namespace {

Command& find_command(std::vector<Command>& commands, const std::string& name) {
  std::vector<std::string> names;
  for (Command& command : commands) {
    if (command.table.name() == name) return command;
    if (!command.hidden) names.push_back(command.table.name());
  }
  fail("unknown command '{}'; did you mean '{}'? 'nouq --help' lists them", name, nearest_name(name, names));
}

// The file holds tables for any number of commands; mistakes in any of them are found.
void read_config(const std::filesystem::path& path, const std::vector<Command>& commands,
                 const Command& command) {
  std::vector<const OptionTable*> tables = {&command.table};  // first: where a stray key most likely belongs
  for (const Command& one : commands) {
    if (&one != &command) tables.push_back(&one.table);
  }
  const std::vector<std::string> found = load_toml(path, tables);
  require(std::find(found.begin(), found.end(), command.table.name()) != found.end(),
          "{}: has no table [{}], so it says nothing about this command; add one, or leave out --config",
          path.string(), command.table.name());
}

// Precedence: defaults, then the preset, then the file, then the command line.
void configure(const std::vector<Command>& commands, const Command& command, const GivenWords& given) {
  const OptionTable& table = command.table;
  const auto put = [&](const std::string& name) {
    assign_words(*table.find(name), given.at(name), "--" + name);
  };
  if (command.preset_text != nullptr && given.contains("preset")) {
    put("preset");
    const std::vector<const OptionTable*> own = {&table};
    apply_toml(command.preset_text(command.common->preset), "preset " + command.common->preset, own);
  }
  if (given.contains("config")) {
    put("config");
    read_config(command.common->config, commands, command);
  }
  for (const auto& [name, words] : given) put(name);
}

void run_command(const std::vector<Command>& commands, const Command& command,
                 const std::vector<std::string>& words) {
  require(command.unavailable.empty(), "{}: {}", command.table.name(), command.unavailable);
  // Before anything is checked: who asks for help has perhaps just made a mistake.
  const auto asks_for_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (std::any_of(words.begin(), words.end(), asks_for_help))
    return write_to_standard_output(command_help("nouq", command.table));
  const GivenWords given = sort_words(command.table, words);
  configure(commands, command, given);
  if (command.common->print_config) return write_to_standard_output(to_toml(command.table));
  command.table.require_complete();
  if (!shares_work(command.table.name())) start_alone();
  Output output(command.common->quiet || ranks().rank() > 0, command.common->json);
  command.run(output);
}

int run(std::vector<std::string> words) {
  std::vector<Command> commands = all_commands();
  if (words.empty()) {
    std::fputs(program_help(describe_program(commands)).c_str(), stderr);
    return 2;
  }
  if (words.front() == "help" && words.size() > 1) words = {words[1], "--help"};
  const std::string& first = words.front();
  if (first == "--help" || first == "-h" || first == "help") {
    write_to_standard_output(program_help(describe_program(commands)));
  } else if (first == "--version") {
    write_to_standard_output(fmt::format("nouq " NOUQ_VERSION " (kernels: {}; MPI: {})\n", kernel_target(),
                                         mpi_name().empty() ? "none" : mpi_name()));
  } else {
    require(!first.starts_with("-"), "'{}' stands where a command is expected; options come after it", first);
    run_command(commands, find_command(commands, first), {words.begin() + 1, words.end()});
  }
  return 0;
}

// One line on standard error, whatever went wrong: also where there is no memory to make it printable.
int report(const Job& job, const char* message, int code) {
  try {
    const std::string line = plot::printable(job.speaker() + message);
    std::fprintf(stderr, "nouq: %s\n", line.c_str());
  } catch (const std::bad_alloc&) {
    std::fputs("nouq: out of memory\n", stderr);
  }
  return code;
}

// A file that is opened gets the lowest free number: with a standard stream closed, a checkpoint could become
// the stream that messages go to. Here nothing can be written, so that results are not lost without a word.
void fill_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) < 0) _exit(1);
}

// A large file is mapped into memory; what has been cut off cannot be read there.
void end_when_a_file_shrinks(int) {
  constexpr char line[] = "nouq: a file has become shorter while it was read\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line, sizeof line - 1);
  _exit(1);
}

// A process that does not lead: a part has a word to say, a rank has not.
int released(const Released& end) {
  if (end.what()[0] != '\0') std::fprintf(stderr, "nouq: %s\n", end.what());
  return 0;
}

int stopped(const Job& job, const Interrupted& end) {
  return ranks().rank() > 0 ? code_of_interrupted() : report(job, end.what(), code_of_interrupted());
}

// The exit code.
int run_reporting(Job& job, const std::vector<std::string>& words) {
  try {
    job.join();
    return run(words);
  } catch (const Released& end) {
    return released(end);
  } catch (const Interrupted& end) {
    return stopped(job, end);
  } catch (const Error& error) {
    return report(job, error.what(), error.kind() == Error::Kind::user ? 2 : 1);
  } catch (const std::bad_alloc&) {
    return report(job, "out of memory", 1);
  } catch (const std::exception& error) {
    return report(job, error.what(), 1);
  }
}

}  // namespace
}  // namespace nouq::cli

int main(int argc, char** argv) {
  nouq::cli::fill_standard_streams();
  nouq::cli::exit_when_terminated();
  std::signal(SIGBUS, nouq::cli::end_when_a_file_shrinks);
  std::signal(SIGXFSZ, SIG_IGN);  // a file above the limit is an error with a message, not the end
  nouq::cli::Job job;
  const int code = job.end(nouq::cli::run_reporting(job, {argv + (argc > 0 ? 1 : 0), argv + argc}));
  if (code == 0) return 0;
  // After an error at once: what libraries clean up at the exit of a program may need what has just failed.
  std::fflush(stdout);
  _exit(code);
}
