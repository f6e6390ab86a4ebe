// Random numbers are public (nouq/random.h): problems from outside draw from the same streams.
#pragma once

#include <nouq/random.h>
