// Which processor this is: for records of what was measured where.
#pragma once

#include <string>

namespace nouq {

// As the system names it, e.g. "AMD EPYC 7571"; "unknown" where it does not say. No name of the host.
std::string processor_name();

}  // namespace nouq
