#include <cstdio>
#include <exception>
#include <new>

#include "commands.h"
#include "core/error.h"

namespace {

// One line on standard error, whatever went wrong.
int report(const char* message, int code) {
  std::fprintf(stderr, "nouq: %s\n", message);
  return code;
}

int run(int argc, char** argv) {
  CLI::App app(
      "nouq: neural operators that know when they are wrong and obey physics.\n"
      "Start with 'nouq demo', or 'nouq problems' to see the built-in PDE problems.");
  app.name("nouq");
  app.set_version_flag("--version", "nouq " NOUQ_VERSION);
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "help of all commands");
  nouq::cli::add_demo(app);
  nouq::cli::add_problems(app);
  nouq::cli::add_metrics(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const nouq::Error& error) {
    return report(error.what(), error.kind() == nouq::Error::Kind::user ? 2 : 1);
  } catch (const std::bad_alloc&) {
    return report("out of memory", 1);
  } catch (const std::exception& error) {
    return report(error.what(), 1);
  }
}
