#include "study/presets.h"

#include <array>

#include "core/names.h"

namespace nouq::cli::presets {
namespace {

struct Preset {
  const char* name;
  const std::string_view& text;
};
constexpr std::array<Preset, 6> all = {{{"smoke", smoke},
                                        {"quick", quick},
                                        {"paper", paper},
                                        {"paper-grid", paper_grid},
                                        {"ablation", ablation},
                                        {"recipe", recipe}}};

}  // namespace

std::vector<std::string> names() {
  std::vector<std::string> result;
  result.reserve(all.size());
  for (const Preset& preset : all) result.emplace_back(preset.name);
  return result;
}

std::string_view text(const std::string& name) {
  for (const Preset& preset : all) {
    if (name == preset.name) return preset.text;
  }
  fail_unknown_name("preset", name, names());
}

void offer(Command& command) {
  command.preset_text = text;
  command.table.group("What")
      .add("preset", command.common->preset, "settings with a name; --config and the command line go first")
      .one_of(names())
      .only_on_command_line();
}

}  // namespace nouq::cli::presets
