// The manual: a page for man(1), and the reference of the documentation.
#pragma once

#include <string>

#include "config/program.h"

namespace nouq {

// In roff's man macros, with all commands on one page.
std::string manual_page(const Program& program);
// One section of Markdown per command.
std::string markdown_reference(const Program& program);

}  // namespace nouq
