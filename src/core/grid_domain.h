// Whether two grids cover the same domain, and other grids over the same domain.
//
// Why: a network sees grid points, not coordinates; data on another interval would be answered as if they
// were on its own. Contract: the number of points may differ; names and units are not compared. Where points
// sit in their cells is up to the data, as long as it is the same on both grids: a first or last point that
// is some part of a cell inside the domain (none with both ends, half with cell centres, a whole cell at the
// end of a periodic axis) moves with the size of the cells.
#pragma once

#include <string>

#include <nouq/grid.h>

namespace nouq {

// Throws when an axis begins or ends elsewhere than that of the training data, saying so; `source`, when it
// is not empty, begins the message. Grids of another number of axes are refused elsewhere.
void require_same_domain(const Grid& trained, const Grid& given, const std::string& source);

// Whether the points of an axis are evenly spaced, to a hundredth of their distance: coordinates that went
// through float32 are.
bool evenly_spaced(const Axis& axis);
// Whether two grids have the same points, to a hundredth of the distance to the nearest one.
bool same_points(const Grid& first, const Grid& second);

// The grid itself when it has these extents, else evenly spaced points over its domain: from the first point
// to the last, over one period, or the centres of equal cells that fill the domain of the given cells. Throws
// for another number of points along an axis that is unevenly spaced: where they would be is not known.
Grid regridded(const Grid& grid, const Shape& extents);

}  // namespace nouq
