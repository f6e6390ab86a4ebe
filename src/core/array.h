// Arrays are public (nouq/array.h); inside the library errors come with them.
#pragma once

#include <numeric>

#include <nouq/array.h>

#include "core/error.h"
#include "core/memory.h"
