// What `nouq info` says of data and of models alike: axes, channels and parameters, with their ranges.
#pragma once

#include <nouq/data.h>

#include "output.h"

namespace nouq::cli {

Json describe_grid(const Grid& grid);
// Conservation laws by the name of their values, and bounds of output channels; empty where there are none.
Json describe_laws(const Laws& laws);
Json describe_bounds(const std::vector<Bounds>& bounds, const std::vector<Channel>& outputs);

// One line per entry; the first carries the heading. An entry has a name and a unit, and may have points or a
// shape, a range from low to high, a kind other than points, what a law is, and bounds.
void print_entries(const Output& output, const std::string& heading, const Json& entries);

// The same for an object of texts: "name: text".
void print_texts(const Output& output, const std::string& heading, const Json& texts);

// "heading      text". The texts of files may hold anything; what would move the cursor is not printed.
void print_fact(const Output& output, const std::string& heading, const std::string& text);

}  // namespace nouq::cli
