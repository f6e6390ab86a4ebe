// Darcy flow through a random medium: -div(k grad u) = 1 on the unit square, u = 0 on the boundary, k(x) = 12
// where a smooth Gaussian random field is positive and 3 elsewhere. The input is the field k, the output the
// pressure u.
//
// The random field has the covariance (-laplace + tau^2)^-2 with Neumann conditions and mean zero,
//   sum over (p, q) != (0, 0), p, q < 64, of xi_pq c_p c_q cos(p pi x) cos(q pi y) / (pi^2 (p^2 + q^2) +
//   tau^2),
// xi standard normal, c_0 = 1, else sqrt 2. The number of modes does not depend on the grid, so a sample is
// the same medium on every grid. tau = 3 is the standard benchmark of Fourier neural operators; the parameter
// is tau, the inverse length of the medium's patches, and a shift means finer patches than those trained on.
//
// No mass law. Bounds: 0 and 1 / (4 pi 3), the top of the disc of the same area with the least permeability
// (Talenti: Elliptic equations and rearrangements, 1976).
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <Eigen/Core>

#include "core/error.h"
#include "problems/darcy_solver.h"
#include "problems/description.h"

namespace nouq::problems {
namespace {

using std::numbers::pi;
constexpr Eigen::Index modes = 64;
constexpr double high_permeability = 12;
constexpr double low_permeability = 3;

// c_p cos(p pi x) for every point and mode.
Eigen::MatrixXd cosines(const std::vector<double>& points) {
  Eigen::MatrixXd table(static_cast<Eigen::Index>(points.size()), modes);
  for (Eigen::Index i = 0; i < table.rows(); ++i) {
    for (Eigen::Index p = 0; p < modes; ++p) {
      const double scale = p == 0 ? 1 : std::numbers::sqrt2;
      table(i, p) = scale * std::cos(static_cast<double>(p) * pi * points[i]);
    }
  }
  return table;
}

Eigen::MatrixXd draw_coefficients(double tau, const Stream& stream) {
  Eigen::MatrixXd coefficients(modes, modes);
  for (Eigen::Index p = 0; p < modes; ++p) {
    for (Eigen::Index q = 0; q < modes; ++q) {
      const double normal = stream.normal(static_cast<std::uint64_t>(p * modes + q));
      coefficients(p, q) = normal / (pi * pi * static_cast<double>(p * p + q * q) + tau * tau);
    }
  }
  coefficients(0, 0) = 0;
  return coefficients;
}

class DarcyField final : public Problem {
 public:
  using Problem::Problem;

  [[nodiscard]] Bounds bounds(double /*tau*/, double /*t*/) const override {
    return {0, 1 / (4 * pi * low_permeability)};
  }
  [[nodiscard]] std::optional<double> boundary_value(double /*tau*/, Side /*side*/,
                                                     double /*t*/) const override {
    return 0.0;
  }

 private:
  [[nodiscard]] InputMaker make_inputs(const Grid& grid) const override {
    return [cos_x = cosines(grid[0].coordinates), cos_y = cosines(grid[1].coordinates)](
               const Draw& draw, std::span<double> input) {
      const Eigen::MatrixXd field =
          cos_x * draw_coefficients(draw.parameter, draw.stream) * cos_y.transpose();
      for (Eigen::Index i = 0; i < field.rows(); ++i) {
        for (Eigen::Index j = 0; j < field.cols(); ++j) {
          input[i * field.cols() + j] = field(i, j) > 0 ? high_permeability : low_permeability;
        }
      }
    };
  }
  [[nodiscard]] Solver make_solver(const Grid& grid) const override {
    for (const Axis& axis : grid) {
      require(axis.coordinates.front() <= 1e-6 && axis.coordinates.back() >= 1 - 1e-6,
              "problem darcy-field: axis {} runs from {} to {}, expected from boundary to boundary, 0 to 1",
              axis.name, axis.coordinates.front(), axis.coordinates.back());
    }
    return [grid](const Draw& /*draw*/, const SampleView& sample) {
      solve_darcy(grid, sample.input, sample.output);
    };
  }
};

}  // namespace

std::unique_ptr<Problem> make_darcy_field(const ProblemOptions& given) {
  const OptionReader options("darcy-field", square_options(), given);
  ProblemDescription description{
      .name = "darcy-field",
      .words = "Steady flow through a random two-phase medium (linear, elliptic, 2-d, rough coefficient)",
      .equation = "-div(k(x) grad u) = 1 on [0, 1]^2, k = 12 or 3 by the sign of a Gaussian random field",
      .conditions = "u = 0 on the boundary",
      .citation = cite_li,
      .domain = square_domain(),
      .input_kind = InputKind::function,
      .parameter = {"inverse patch length", "tau", {0, 100}},
      .input = {"permeability", "1"},
      .output = {"pressure", "1"},
      .ranges = {{{3, 3}, {3, 4}, {4, 6}, {6, 9}}},
      .options = options.declared()};
  return std::make_unique<DarcyField>(std::move(description), square_grid(options));
}

}  // namespace nouq::problems
