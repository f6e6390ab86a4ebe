// Where a model is to be good, as one writes it on a command line: m=1:6,q=0:2.
#pragma once

#include <string>
#include <vector>

#include <nouq/suggest.h>

namespace nouq::cli {

std::vector<AskedRange> asked_ranges(const std::vector<std::string>& texts);

}  // namespace nouq::cli
