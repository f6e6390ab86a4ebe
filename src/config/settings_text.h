// Settings as JSON and back, and what differs between two of them, from their one description.
//
// Why: a model file records how it was made, a fingerprint names what a result depends on, and a message says
// what differs between two runs. All three read the option table. Contract: keys are identifiers
// (weight_decay) in the order of the table; numbers keep every bit. Options that do not affect a result
// (threads, places) are left out. An option that is added later, and left at its default, changes no text
// that holds changed values alone.
#pragma once

#include <string>

#include "config/option_table.h"

namespace nouq {

enum class Which { all, changed };  // changed: those that are not at their default

// One line of JSON: {"method":"diverse","epochs":200}. What is not set is null.
std::string to_json(const OptionTable& table, Which which = Which::all);

// Sets the options from such a text; those it does not name keep their values. A key that is unknown, stands
// twice or has a value out of range is refused; `source` begins the message.
void apply_json(const std::string& text, const std::string& source, const OptionTable& table);

// "width: 32 and 64; rate: 0.001 and 0.01"; empty when nothing differs. The tables are of the same settings.
std::string difference(const OptionTable& first, const OptionTable& second);

}  // namespace nouq
