// What a tool built without cpp-httplib says when it is asked to serve.
#include "commands.h"

namespace nouq::cli {
namespace {

struct NoOptions {};

OptionTable no_serve_table(NoOptions& /*options*/) { return {"serve", "answer over HTTP"}; }

void serve_nothing(const NoOptions& /*options*/, Output& /*output*/) {}

}  // namespace

Command serve_command() {
  Command command = make_command(no_serve_table, serve_nothing);
  command.hidden = true;
  command.unavailable = "this nouq was built without cpp-httplib (NOUQ_SERVE, Debian's libcpp-httplib-dev)";
  return command;
}

}  // namespace nouq::cli
