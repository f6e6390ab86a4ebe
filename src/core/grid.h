// Grids are public (nouq/grid.h).
#pragma once

#include <nouq/grid.h>

#include "core/array.h"
