// The frame of the problems in one space dimension and time whose solution is known in closed form.
//
// Why: heat, pme, stefan and the two advections differ in their formulas only. A problem derives from
// `SpaceTimeProblem` and gives, for a parameter, the formulas; grids, fields, masses and boundary values
// follow here. Contract: the formulas hold on the whole domain for every t >= 0.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <nouq/problem.h>

#include "problems/description.h"

namespace nouq::problems {

// The formulas of one member of the family. Whatever depends on the parameter alone is worked out once.
struct ExactSolution {
  std::function<double(double x, double t)> value;
  std::function<double(double t)> mass;
};

// Options every space-time problem has: nx, nt and final_time.
std::vector<ProblemOption> space_time_options(const std::string& final_time,
                                              std::vector<ProblemOption> more = {});

// nx points over [0, length], both ends included, times `space_time_times`.
Grid space_time_grid(double length, const OptionReader& options);
// The times of the released code: every fifth of 5 nt equal steps over [0, T], the last one left out:
// t_j = T 5 j / (5 nt - 1), so nt = 20 gives 0 to (95/99) T.
std::vector<double> space_time_times(double final_time, Index nt);
std::vector<AxisDomain> space_time_domain(double length, double final_time);

class SpaceTimeProblem : public Problem {
 public:
  using Problem::Problem;

  [[nodiscard]] bool has_mass_law() const final { return true; }
  [[nodiscard]] std::vector<double> mass(double parameter, std::span<const double> times) const final;
  [[nodiscard]] std::optional<double> boundary_value(double parameter, Side side, double t) const final;

 private:
  [[nodiscard]] virtual ExactSolution exact(double parameter) const = 0;
  [[nodiscard]] Solver make_solver(const Grid& grid) const final;
};

}  // namespace nouq::problems
