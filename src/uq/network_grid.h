// Which points the networks of a surrogate work on, and which grids they answer on themselves.
//
// Why: a Fourier basis wants evenly spaced points. Told nothing but the order of unevenly spaced ones, or
// their coordinates as well, networks are less accurate than on fields interpolated onto as many even points
// (1.2 to 2 times the error on stretched and jittered grids). So fields on uneven axes are interpolated on
// their way in and out (data/resampling.h); all else, calibrations, laws, files, keeps to the grid of the
// data. Contract: where all axes are even nothing is done. Models of before, without "network.points", take
// uneven points as they come.
#pragma once

#include "uq/surrogate.h"

namespace nouq {

// Whether the networks of data on this grid need other points. Throws for a periodic axis that is uneven.
bool needs_even_points(const Grid& grid);
// The grid with its uneven axes replaced by as many evenly spaced points over the same range.
Grid with_even_points(const Grid& grid);
// Fields of a grid, [n, axes..., channels], and data, on them.
Array<float> on_even_points(const Grid& grid, const Array<float>& fields);
DataSet on_even_points(const DataSet& data);

// Whether the networks of a surrogate work on even points instead of those of its grid; and how it is noted.
bool on_even_points(const Surrogate& surrogate);
void note_even_points(Surrogate& surrogate);
Grid network_grid(const Surrogate& surrogate);

// Whether the networks answer on a grid themselves: on their own points, and on other evenly spaced ones
// where the padding is a fraction of every axis.
bool answers_on(const Surrogate& surrogate, const Grid& grid);

}  // namespace nouq
