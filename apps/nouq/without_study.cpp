// What a tool built without the paper's study says when it is asked for it.
#include "commands.h"
#include "core/error.h"
#include "study_commands.h"

namespace nouq::cli {
namespace {

constexpr const char* reason = "this nouq was built without the paper's study (NOUQ_PAPER=OFF)";

struct NoOptions {};

OptionTable no_table(NoOptions& /*options*/) { return {"reproduce", "run the paper's experiments"}; }

void run_nothing(const NoOptions& /*options*/, Output& /*output*/) {}

}  // namespace

std::vector<std::string> preset_names() { return {"paper"}; }

Json write_study_page(const StudyPage& page, const Output& /*output*/) {
  fail("{} is a folder, and reports of folders are reports of a study; {}", page.results.string(), reason);
}

Command reproduce_command() {
  Command command = make_command(no_table, run_nothing);
  command.hidden = true;
  command.unavailable = reason;
  return command;
}

}  // namespace nouq::cli
