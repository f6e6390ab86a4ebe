// Problems are public (nouq/problem.h): others add theirs.
#pragma once

#include <nouq/problem.h>

#include "core/array.h"
#include "core/grid.h"
#include "core/random.h"
