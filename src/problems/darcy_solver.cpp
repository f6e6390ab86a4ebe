#include "problems/darcy_solver.h"

#include <cmath>
#include <vector>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "core/error.h"

namespace nouq {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

void check(const Grid& grid, std::span<const double> permeability, std::span<double> pressure) {
  require(grid.size() == 2 && grid[0].size() >= 3 && grid[1].size() >= 3,
          "darcy: grid has shape {}, expected two axes of at least three points", to_string(shape_of(grid)));
  const std::size_t points = element_count(shape_of(grid));
  require(permeability.size() == points && pressure.size() == points,
          "darcy: {} permeabilities and {} pressures for {} grid points", permeability.size(),
          pressure.size(), points);
  for (std::size_t i = 0; i < points; ++i) {
    require(std::isfinite(permeability[i]) && permeability[i] > 0,
            "darcy: permeability is {} at grid point {}, expected a finite number above zero",
            permeability[i], i);
  }
}

// Widths of the volumes around the points of an axis: to half way to each neighbour.
std::vector<double> volume_widths(const std::vector<double>& at) {
  std::vector<double> widths(at.size(), 0.0);
  for (std::size_t i = 1; i + 1 < at.size(); ++i) widths[i] = 0.5 * (at[i + 1] - at[i - 1]);
  return widths;
}

class Assembly {
 public:
  Assembly(const Grid& grid, std::span<const double> permeability)
      : x_(grid[0].coordinates),
        y_(grid[1].coordinates),
        width_x_(volume_widths(x_)),
        width_y_(volume_widths(y_)),
        permeability_(permeability) {}

  // Links (i, j) with the points above it on both axes; each pair of neighbours is visited once.
  Matrix matrix() {
    for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
      for (std::size_t j = 0; j + 1 < y_.size(); ++j) {
        if (j > 0) link(i, j, i + 1, j, width_y_[j] / (x_[i + 1] - x_[i]));
        if (i > 0) link(i, j, i, j + 1, width_x_[i] / (y_[j + 1] - y_[j]));
      }
    }
    const Eigen::Index n = unknowns();
    Matrix result(n, n);
    result.setFromTriplets(entries_.begin(), entries_.end());
    return result;
  }

  // The source term, 1, over each volume.
  [[nodiscard]] Eigen::VectorXd source() const {
    Eigen::VectorXd result(unknowns());
    for (std::size_t i = 1; i + 1 < x_.size(); ++i) {
      for (std::size_t j = 1; j + 1 < y_.size(); ++j) result[unknown(i, j)] = width_x_[i] * width_y_[j];
    }
    return result;
  }

  [[nodiscard]] bool inside(std::size_t i, std::size_t j) const {
    return i > 0 && j > 0 && i + 1 < x_.size() && j + 1 < y_.size();
  }
  [[nodiscard]] Eigen::Index unknown(std::size_t i, std::size_t j) const {
    return static_cast<Eigen::Index>((i - 1) * (y_.size() - 2) + (j - 1));
  }

 private:
  [[nodiscard]] Eigen::Index unknowns() const {
    return static_cast<Eigen::Index>((x_.size() - 2) * (y_.size() - 2));
  }

  // The face between two points carries conductance * (u_a - u_b); boundary points have u = 0 and no row.
  void link(std::size_t ia, std::size_t ja, std::size_t ib, std::size_t jb, double face_over_distance) {
    const double ka = permeability_[ia * y_.size() + ja];
    const double kb = permeability_[ib * y_.size() + jb];
    const double conductance = face_over_distance * 2 / (1 / ka + 1 / kb);
    const bool a_inside = inside(ia, ja);
    const bool b_inside = inside(ib, jb);
    if (a_inside) entries_.emplace_back(unknown(ia, ja), unknown(ia, ja), conductance);
    if (b_inside) entries_.emplace_back(unknown(ib, jb), unknown(ib, jb), conductance);
    if (a_inside && b_inside) {
      entries_.emplace_back(unknown(ia, ja), unknown(ib, jb), -conductance);
      entries_.emplace_back(unknown(ib, jb), unknown(ia, ja), -conductance);
    }
  }

  const std::vector<double>& x_;
  const std::vector<double>& y_;
  std::vector<double> width_x_, width_y_;
  std::span<const double> permeability_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

void solve_darcy(const Grid& grid, std::span<const double> permeability, std::span<double> pressure) {
  check(grid, permeability, pressure);
  Assembly assembly(grid, permeability);
  const Eigen::SimplicialLDLT<Matrix> factors(assembly.matrix());
  if (factors.info() != Eigen::Success) throw_failure("darcy: the sparse factorisation failed");
  const Eigen::VectorXd solution = factors.solve(assembly.source());
  const std::size_t ny = grid[1].size();
  for (std::size_t point = 0; point < pressure.size(); ++point) {
    const std::size_t i = point / ny;
    const std::size_t j = point % ny;
    pressure[point] = assembly.inside(i, j) ? solution[assembly.unknown(i, j)] : 0.0;
  }
}

}  // namespace nouq
