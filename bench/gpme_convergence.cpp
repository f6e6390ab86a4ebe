// Convergence of the gpme solver to the exact heat, porous medium and Stefan solutions: error, observed
// order, mass balance and time on refined cells. Cells double and steps double (heat, pme) or quadruple
// (stefan).
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include <nouq/problem.h>
#include <nouq/random.h>

#include "problems/gpme_solver.h"

namespace {

using namespace nouq;

struct Study {
  const char* exact;
  const char* form;
  double parameter;
  double time;
  Index coarse_steps;
  int order;
};

GpmeSetup setup_of(const Study& study, const Problem& exact) {
  const auto end_value = [&exact, p = study.parameter](Side side) {
    return [&exact, p, side](double t) { return *exact.boundary_value(p, side, t); };
  };
  const double length = exact.description().domain[0].high;
  const bool heat = study.form == std::string("constant");
  return {length, make_coefficient(study.form, study.parameter),
          [heat](double x) { return heat ? std::sin(x) : 0.0; }, end_value(Side::low), end_value(Side::high)};
}

// Mean absolute error over the cells.
double error_of(const GpmeSolver& solver, const Problem& exact, double parameter) {
  Grid grid = exact.default_grid();
  const std::size_t n = solver.cells().size();
  grid[0].coordinates.clear();
  for (std::size_t i = 0; i < n; ++i) grid[0].coordinates.push_back(solver.cell_centre(i));
  grid[1].coordinates = {solver.time()};
  std::vector<double> output(n), mass(1);
  exact.solver(grid)({parameter, Stream(0, Purpose::fields)}, {{}, output, mass});
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::abs(output[i] - solver.cells()[i]);
  return sum / static_cast<double>(n);
}

// Over the cells at 25 times: at a single one, where the shock stands in its cell would decide the error.
double mean_error(GpmeSolver& solver, const Study& study, const Problem& exact) {
  double sum = 0;
  for (int i = 1; i <= 25; ++i) {
    solver.advance_to(study.time * i / 25);
    sum += error_of(solver, exact, study.parameter) / 25;
  }
  return sum;
}

void run(const Study& study) {
  const auto exact = make_problem(study.exact);
  std::printf("\n%s, parameter %g, t up to %g, order %d in time\n", study.exact, study.parameter, study.time,
              study.order);
  std::printf("%8s %8s %12s %8s %14s %10s\n", "cells", "steps", "error", "order", "mass / flow", "seconds");
  double previous = 0;
  Index steps = study.coarse_steps;
  for (Index cells = 50; cells <= 800; cells *= 2, steps *= 2) {
    const auto begin = std::chrono::steady_clock::now();
    GpmeSolver solver(setup_of(study, *exact), {cells, study.time / static_cast<double>(steps), study.order});
    const double initial = solver.mass();
    const double error = mean_error(solver, study, *exact);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double balance = std::abs(solver.mass() - initial - solver.net_inflow()) / solver.total_flow();
    std::printf("%8lld %8lld %12.3e %8.2f %14.1e %10.3f\n", static_cast<long long>(cells),
                static_cast<long long>(steps), error, previous > 0 ? std::log2(previous / error) : NAN,
                balance, seconds);
    previous = error;
  }
}

}  // namespace

int main() {
  std::printf(
      "gpme: mean absolute error against the exact solution; observed order per doubling of the cells\n");
  for (const double k : {1.0, 5.0}) run({"heat", "constant", k, 0.5, 50, 2});
  for (const double m : {1.5, 2.0, 3.0, 5.0}) run({"pme", "power", m, 0.6, 50, 2});
  for (const double u_star : {0.5, 0.62, 0.75}) run({"stefan", "threshold", u_star, 0.1, 50, 1});
  return 0;
}
