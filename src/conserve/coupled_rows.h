// Constraints that interact: a small dense system per group of coupled rows (coupling.h).
//
// Why: rows that move the same values must be solved together; the system has the size of the group, never of
// the field. Contract: the system is scaled to a unit diagonal first. Where it is singular (variance zero, a
// covariance of too low a rank) the least correction is taken, and an exact row that is then not met is an
// Error.
#pragma once

#include <span>
#include <vector>

#include "conserve/coupling.h"
#include "conserve/covariance.h"
#include "conserve/linear_constraints.h"
#include "conserve/sample_projector.h"

namespace nouq {

class CoupledRows final : public SampleProjector {
 public:
  CoupledRows(const LinearConstraints& constraints, std::span<const Index> labels,
              const Covariance& covariance);

  void prepare(int threads, Index members) override;
  void project(const SampleTask& task, int thread) override;

 private:
  const LinearConstraints& constraints_;
  Covariance covariance_;
  std::vector<CoupledGroup> groups_;
};

}  // namespace nouq
