// Members of an NPZ file as fuzz input. A checksum guards a real member, so mutations of one hardly get past
// it; here the target packs the members itself, and mutations reach the readers behind.
//
// Input: one byte for the kind (0: the rest is a ZIP file as it is, 1: stored members, 2: deflated members),
// then for each member one byte for the name, two for the length (little-endian), and the contents.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace nouq::fuzz {

inline constexpr std::array<std::string_view, 14> member_names = {
    "inputs",     "outputs",        "format",          "axes",       "axis0",           "axis1",
    "axis2",      "input_channels", "output_channels", "parameters", "parameter_names", "constraint_mass",
    "provenance", "something_else"};

}  // namespace nouq::fuzz
