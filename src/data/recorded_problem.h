// The built-in problem behind data, as their provenance records it (nouq/problem_data.h), written down where
// data are made.
#pragma once

#include <nouq/data.h>
#include <nouq/problem.h>
#include <nouq/problem_data.h>

namespace nouq {

void record_options(const ProblemOptions& options, Provenance& provenance);

}  // namespace nouq
