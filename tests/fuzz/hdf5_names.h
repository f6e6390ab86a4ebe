// The names that hdf5_layout_fuzz.cpp gives to arrays and groups: those of our layout and of PDEBench's.
#pragma once

#include <array>
#include <string_view>

namespace nouq::fuzz {

inline constexpr std::array<std::string_view, 27> names = {"inputs",
                                                           "outputs",
                                                           "axis0",
                                                           "axis1",
                                                           "parameters",
                                                           "constraints/mass",
                                                           "constraints/energy",
                                                           "tensor",
                                                           "nu",
                                                           "x-coordinate",
                                                           "y-coordinate",
                                                           "t-coordinate",
                                                           "density",
                                                           "pressure",
                                                           "Vx",
                                                           "0000/data",
                                                           "0000/grid/x",
                                                           "0000/grid/t",
                                                           "0000/grid/y",
                                                           "0001/data",
                                                           "0001/grid/x",
                                                           "0001/grid/t",
                                                           "10000/data",
                                                           "provenance",
                                                           "constraints",
                                                           "bounds",
                                                           "0000"};

}  // namespace nouq::fuzz
