// What a projection did, for people and programs: how far the constraints were off before and after.
#pragma once

#include "constraint_options.h"
#include "output.h"
#include "prediction_files.h"
#include "projection_options.h"

namespace nouq::cli {

Json summarise(const GivenConstraints& given, const LoadedPrediction& prediction, const Projected& projected);
void print_summary(const Json& summary, const Output& output);

}  // namespace nouq::cli
