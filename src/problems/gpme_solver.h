// A conservative solver for the generalised porous medium equation u_t = (k(u) u_x)_x on [0, length] with
// given values at both ends, or with closed ones: finite volumes in space, implicit in time.
//
// Why: for coefficients without a closed-form solution, and to check the closed forms. How: equal cells; the
// flux between neighbours is -(Phi(u_right) - Phi(u_left)) / h with Phi the integral of k, so steps and zeros
// of k need no averaging rule; time steps by backward Euler (order 1, obeys the maximum principle: for
// shocks) or by the two-stage L-stable diagonally implicit Runge-Kutta method (order 2: for smooth
// solutions); Newton with tridiagonal solves in each stage. The new cell values are assembled from the
// fluxes, so the mass changes by exactly what crossed the ends, up to rounding, however well Newton has
// converged.
//
// Contract: one solver is one run; its time only moves forward. Throws (a failure) when Newton does not
// converge.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nouq/array.h>

namespace nouq {

// Diffusion coefficients k(u) of the generalised porous medium equation u_t = (k(u) u_x)_x.
//
// Why: the solver needs k and its integral Phi(u) = integral of k from 0 to u together, at every cell of
// every Newton step. The flux between two cells is the difference of Phi, which is right for degenerate and
// discontinuous k too. Contract: k >= 0, so Phi never decreases.
//
//   name         parameter  k(u)            Phi(u)
//   constant     k > 0      k               k u
//   power        m > 0      max(u, 0)^m     max(u, 0)^(m+1) / (m+1)
//   threshold    u* > 0     1[u >= u*]      max(u - u*, 0)
//   exponential  a > 0      exp(a u)        (exp(a u) - 1) / a

struct CoefficientValue {
  double k;
  double potential;
};
using Coefficient = std::function<CoefficientValue(double u)>;

std::vector<std::string> coefficient_names();
// Throws for an unknown name or a parameter that is not above zero.
Coefficient make_coefficient(const std::string& name, double parameter);

struct GpmeSetup {
  double length = 1;
  Coefficient coefficient;
  std::function<double(double x)> initial;
  std::function<double(double t)> left;   // value at x = 0
  std::function<double(double t)> right;  // value at x = length
  bool closed = false;                    // nothing crosses the ends; their values do not matter then
};

struct GpmeDiscretisation {
  Index cells = 300;
  double longest_step = 1e-3;
  int order = 2;  // in time: 1 or 2
};

class GpmeSolver {
 public:
  GpmeSolver(GpmeSetup setup, GpmeDiscretisation discretisation);

  // Steps of equal length, none longer than longest_step.
  void advance_to(double t);

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] std::span<const double> cells() const { return values_; }
  [[nodiscard]] double cell_centre(std::size_t i) const { return (static_cast<double>(i) + 0.5) * width_; }
  // Linear between the cell centres and the end values.
  [[nodiscard]] double value(double x) const;
  [[nodiscard]] double mass() const;
  // What came in at the ends since time 0: mass() = initial mass + net_inflow().
  [[nodiscard]] double net_inflow() const { return net_inflow_; }
  // The sum of the sizes of both ends' flows: what rounding errors of the mass are to be compared with.
  [[nodiscard]] double total_flow() const { return total_flow_; }

 private:
  struct Stage {
    std::vector<double> values;
    std::vector<double> fluxes;  // at the cells' faces, positive to the right
  };

  void step(double length);
  void solve_stage(double t, double implicit_step, std::span<const double> known, Stage& stage);
  // Coefficients and fluxes of the stage's values.
  void evaluate(double t, Stage& stage);
  void assemble(double implicit_step, std::span<const double> known, const Stage& stage);
  // Where Newton may go.
  struct Range {
    double low, high;
  };
  [[nodiscard]] Range trusted_range(double t, std::span<const double> known) const;
  // One Newton step; returns the largest change, relative to the largest value.
  double correct(const Range& trusted, Stage& stage);

  GpmeSetup setup_;
  GpmeDiscretisation discretisation_;
  double width_;
  double time_ = 0;
  double net_inflow_ = 0;
  double total_flow_ = 0;
  std::vector<double> values_;
  std::vector<Stage> stages_;
  std::vector<double> k_, potential_, known_;                // of the stage at work
  std::vector<double> lower_, diagonal_, upper_, residual_;  // Newton's tridiagonal system
};

}  // namespace nouq
