// A program with commands, as its help and its manual see it.
#pragma once

#include <string>
#include <vector>

#include "config/option_table.h"

namespace nouq {

struct Program {
  std::string name;
  std::string version;
  std::string summary;                       // one line
  std::string description;                   // some sentences, paragraphs separated by an empty line
  std::vector<const OptionTable*> commands;  // in the order of the help
};

// The heading of the options that every command has; manuals show them once.
inline const std::string common_group = "Common options";

}  // namespace nouq
