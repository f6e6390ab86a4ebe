#include "problems/space_time.h"

namespace nouq::problems {

std::vector<ProblemOption> space_time_options(const std::string& final_time,
                                              std::vector<ProblemOption> more) {
  std::vector<ProblemOption> options = {
      {"nx", "100", "points along x, both ends included"},
      {"nt", "20", "times from 0 to just before the final time"},
      {"final_time", final_time, "end T of the time interval"},
  };
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::vector<double> space_time_times(double final_time, Index nt) {
  std::vector<double> times;
  for (Index j = 0; j < nt; ++j) {
    times.push_back(final_time * static_cast<double>(5 * j) / static_cast<double>(5 * nt - 1));
  }
  return times;
}

Grid space_time_grid(double length, const OptionReader& options) {
  return {Axis{.name = "x", .unit = "1", .coordinates = linspace(0, length, options.count("nx", 2))},
          Axis{.name = "t",
               .unit = "1",
               .coordinates = space_time_times(options.positive("final_time"), options.count("nt", 1))}};
}

std::vector<AxisDomain> space_time_domain(double length, double final_time) {
  return {{{"x", "1"}, 0.0, length}, {{"t", "1"}, 0.0, final_time}};
}

std::vector<double> SpaceTimeProblem::mass(double parameter, std::span<const double> times) const {
  check_parameter(parameter);
  const ExactSolution solution = exact(parameter);
  std::vector<double> values;
  for (const double t : times) values.push_back(solution.mass(t));
  return values;
}

std::optional<double> SpaceTimeProblem::boundary_value(double parameter, Side side, double t) const {
  check_parameter(parameter);
  const AxisDomain& x = description().domain[0];
  return exact(parameter).value(side == Side::low ? x.low : x.high, t);
}

Solver SpaceTimeProblem::make_solver(const Grid& grid) const {
  return
      [this, xs = grid[0].coordinates, ts = grid[1].coordinates](const Draw& draw, const SampleView& sample) {
        check_parameter(draw.parameter);
        const ExactSolution solution = exact(draw.parameter);
        std::size_t point = 0;
        for (const double x : xs) {
          for (const double t : ts) sample.output[point++] = solution.value(x, t);
        }
        for (std::size_t j = 0; j < ts.size(); ++j) sample.mass[j] = solution.mass(ts[j]);
      };
}

}  // namespace nouq::problems
