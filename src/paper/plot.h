// Tables, figures and pages (src/plot), of which the study's own are made: named without a prefix in this
// folder.
#pragma once

#include "plot/figure.h"
#include "plot/page.h"
#include "plot/table.h"

namespace nouq::paper {

using namespace plot;

}  // namespace nouq::paper
