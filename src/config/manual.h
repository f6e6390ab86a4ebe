// The manual: a page for man(1), and the reference of the documentation.
#pragma once

#include <string>

#include "config/program.h"

namespace nouq {

// In roff's man macros, with all commands on one page.
std::string manual_page(const Program& program);
// One section of Markdown per command.
std::string markdown_reference(const Program& program);

// The docs' tables of settings: one per group, with name, what it may be, default, meaning and paragraph.
std::string markdown_settings(const OptionTable& table);

}  // namespace nouq
