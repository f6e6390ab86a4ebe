// The runs of one batch: several at a time, each tried again where it fails, and written down as it ends.
#pragma once

#include <functional>
#include <vector>

#include "api/improve_journal.h"

namespace nouq {

// Those of `runs` that are neither done nor set aside. `question` gives the sample of a run. Throws Cancelled
// when it was stopped; the runs that are done by then are written down.
void do_runs(const std::vector<Index>& runs, const std::function<DataSet(Index)>& question,
             const DataSet& like, const ImproveSettings& settings, const RunSolver& solver,
             const ImproveProgress& progress, ImproveJournal& journal);

}  // namespace nouq
