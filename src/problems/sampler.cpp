#include "problems/sampler.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <nouq/random.h>

#include "core/error.h"
#include "core/threads.h"

namespace nouq {
namespace {

// Inputs and parameters have their place; solutions have none yet.
ProblemSamples allocate(const Problem& problem, Index count, const Grid& grid) {
  const auto& description = problem.description();
  Shape fields = shape_of(grid);
  fields.insert(fields.begin(), count);
  fields.push_back(1);
  return {.inputs = Array<float>(fields),
          .outputs = {},
          .parameters = Array<double>({count, 1}),
          .mass = {},
          .grid = grid,
          .input_channel = description.input,
          .output_channel = description.output,
          .parameter = {description.parameter.name, "1"}};
}

void allocate_solutions(const Problem& problem, ProblemSamples& samples) {
  samples.outputs = Array<float>(samples.inputs.shape());
  const auto time = problem.time_axis();
  if (problem.has_mass_law() && time)
    samples.mass = Array<double>({samples.inputs.extent(0), samples.grid[*time].size()});
}

// Makes the inputs, and with a solver the solutions, in double; checks them and rounds them into their place.
void fill_samples(const Problem& problem, std::span<const double> parameters, std::uint64_t seed, int threads,
                  const Solver& solve, ProblemSamples& samples) {
  const InputMaker make_input = problem.inputs(samples.grid);
  const std::size_t points = element_count(shape_of(samples.grid));
  const auto finite = [](double value) { return std::isfinite(static_cast<float>(value)); };
  parallel_for(resolve_threads(threads), samples.inputs.extent(0), [&](Index i) {
    const double parameter = samples.parameters[i] = parameters[i];
    const Draw draw{parameter, Stream(seed, Purpose::fields, static_cast<std::uint64_t>(i))};
    std::vector<double> input(points);
    make_input(draw, input);
    std::copy(input.begin(), input.end(), samples.inputs.row(i).begin());
    if (!solve) return;
    std::vector<double> output(points);
    solve(draw, {input, output, samples.mass.empty() ? std::span<double>{} : samples.mass.row(i).span()});
    require(std::all_of(output.begin(), output.end(), finite),
            "problem {}: the solution of sample {} ({} = {}) is not finite in float32", problem.name(), i,
            problem.description().parameter.symbol, parameter);
    std::copy(output.begin(), output.end(), samples.outputs.row(i).begin());
  });
}

}  // namespace

ProblemSamples input_samples(const Problem& problem, std::span<const double> parameters, const Grid& grid,
                             std::uint64_t seed, int threads) {
  require(!parameters.empty(), "problem {}: at least one sample must be asked for", problem.name());
  ProblemSamples samples =
      allocate(problem, std::ssize(parameters), grid.empty() ? problem.default_grid() : grid);
  fill_samples(problem, parameters, seed, threads, {}, samples);
  return samples;
}

ProblemSamples solve_samples(const Problem& problem, std::span<const double> parameters, const Grid& grid,
                             std::uint64_t seed, int threads) {
  require(!parameters.empty(), "problem {}: at least one sample must be asked for", problem.name());
  const Solver solve = problem.solver(grid.empty() ? problem.default_grid() : grid);
  ProblemSamples samples =
      allocate(problem, std::ssize(parameters), grid.empty() ? problem.default_grid() : grid);
  allocate_solutions(problem, samples);
  fill_samples(problem, parameters, seed, threads, solve, samples);
  return samples;
}

Array<double> masses_of(const Problem& problem, std::span<const double> parameters, const Grid& grid) {
  const auto time = problem.time_axis();
  const std::vector<double> times = time ? grid[*time].coordinates : std::vector<double>{0.0};
  Array<double> masses({std::ssize(parameters), std::ssize(times)});
  for (Index i = 0; i < masses.extent(0); ++i) {
    const std::vector<double> mass = problem.mass(parameters[i], times);
    std::copy(mass.begin(), mass.end(), masses.row(i).begin());
  }
  return masses;
}

ProblemSamples generate_samples(const Problem& problem, const SampleRequest& request) {
  const auto [low, high] = request.range;
  require(request.count >= 1, "problem {}: {} samples asked for, expected at least 1", problem.name(),
          request.count);
  require(low <= high, "problem {}: range [{}, {}] is empty or not a number", problem.name(), low, high);
  problem.check_parameter(low);
  problem.check_parameter(high);
  std::vector<double> parameters(request.count);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i] = low + (high - low) * Stream(request.seed, Purpose::parameters, i).uniform(0);
  }
  return solve_samples(problem, parameters, request.grid, request.seed, request.threads);
}

}  // namespace nouq
