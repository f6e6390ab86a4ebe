// Constraints that interact: a small dense system per group of coupled rows (coupling.h).
//
// Why: rows that move the same values must be solved together; the system has the size of the group, never of
// the field. Contract: the system is scaled to a unit diagonal first. Where it is singular (variance zero, a
// covariance of too low a rank) the least correction is taken, and an exact row that is then not met is an
// Error.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>

#include "conserve/covariance.h"
#include "conserve/linear_constraints.h"
#include "conserve/sample_projector.h"

namespace nouq {

// A group of rows and the points they can move.
struct CoupledGroup {
  struct Point {
    Index point;
    Index block;        // which of the group's blocks (labels)
    std::size_t begin;  // its entries: (row within the group, weight)
    std::size_t end;
  };
  std::vector<Index> rows;
  Index blocks = 0;
  std::vector<Point> points;
  std::vector<RowEntry> entries;
};

// The groups of a system. `whole_blocks`: a block's points all belong, also those that no row touches.
std::vector<CoupledGroup> make_groups(const LinearConstraints& constraints, std::span<const Index> labels,
                                      bool whole_blocks);

// S = G Sigma G' + R, ready to be applied: inverse = root' root.
struct InvertedSystem {
  Eigen::MatrixXd system, inverse, root;
  bool singular = false;
  explicit InvertedSystem(Eigen::MatrixXd matrix);
  // S^-1 times each column, with one step of refinement.
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& columns) const;
};

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
