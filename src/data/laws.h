// Laws and bounds (nouq/laws.h) of a grid.
//
// Contract: laws are kept by the name of their values, so that each has one; `validate` holds for every set
// that the library hands out.
#pragma once

#include <nouq/array.h>
#include <nouq/grid.h>
#include <nouq/laws.h>

namespace nouq {

// The integral of the first channel over all axes but a time "t".
Law mass_law(const Grid& grid);

// The laws with the one that needs no words, that of "mass": over all axes but a time "t" that is the last,
// or over all where there is no time.
Laws with_mass_law(Laws laws, const Grid& grid);
// The same for values of "mass" of so many samples. Without a time they are a law only where there is one for
// each sample: such values were once kept for `nouq project` alone.
Laws with_mass_law(Laws laws, const Grid& grid, const Array<double>& values, Index samples);

// Throws an Error that begins with `source` and names the law, unless the axes are those of the grid, each
// once, and the channel is one of `channels`.
void validate(const Laws& laws, const Grid& grid, Index channels, const std::string& source);
// There are none, or one pair per channel, the lower not above the upper.
void validate(const std::vector<Bounds>& bounds, Index channels, const std::string& source);

// How many values a law has per sample: one for each place on the axes that it is not summed over.
Index places_of(const Law& law, const Grid& grid);

}  // namespace nouq
