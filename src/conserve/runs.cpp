#include "conserve/runs.h"

namespace nouq {

std::vector<Run> runs_of(std::span<const Index> row_of_point) {
  const auto count = std::ssize(row_of_point);
  const auto row = [&](Index p) { return row_of_point[p]; };
  std::vector<Run> runs;
  for (Index p = 0; p < count;) {
    const bool rising = p + 1 < count && row(p) >= 0 && row(p + 1) == row(p) + 1;
    Index end = p + 1;
    while (end < count && row(end) == row(p) + (rising ? end - p : 0)) ++end;
    runs.push_back({p, row(p), end - p, !rising});
    p = end;
  }
  return runs;
}

}  // namespace nouq
