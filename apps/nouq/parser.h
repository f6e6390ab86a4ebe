// The words of a command line, sorted by option. The one place that knows the library for that.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/option_table.h"

namespace nouq::cli {

using GivenWords = std::map<std::string, std::vector<std::string>>;  // option name -> the words given for it

// Throws for options that are unknown (naming the nearest), lack a value, or for words that are not expected.
GivenWords sort_words(const OptionTable& table, std::vector<std::string> words);

}  // namespace nouq::cli
