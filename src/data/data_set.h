// Data sets are public (nouq/data.h).
#pragma once

#include <nouq/data.h>

#include "core/array.h"
#include "core/grid.h"
#include "data/laws.h"
