#include "problems/sampler.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "core/threads.h"

namespace nouq {
namespace {

ProblemSamples allocate(const Problem& problem, Index count, const Grid& grid) {
  const auto& description = problem.description();
  Shape fields = shape_of(grid);
  fields.insert(fields.begin(), count);
  fields.push_back(1);
  ProblemSamples samples{.inputs = Array<float>(fields),
                         .outputs = Array<float>(fields),
                         .parameters = Array<double>({count, 1}),
                         .mass = {},
                         .grid = grid,
                         .input_channel = description.input,
                         .output_channel = description.output,
                         .parameter = {description.parameter.name, "1"}};
  const auto time = problem.time_axis();
  if (problem.has_mass_law() && time) samples.mass = Array<double>({count, grid[*time].size()});
  return samples;
}

// Solves one sample in double, checks it and rounds it into its place.
void fill_sample(const Problem& problem, const Solver& solve, const Draw& draw, Index i,
                 ProblemSamples& samples) {
  const auto points = static_cast<std::size_t>(element_count(shape_of(samples.grid)));
  std::vector<double> input(points);
  std::vector<double> output(points);
  solve(draw, {input, output, samples.mass.empty() ? std::span<double>{} : samples.mass.row(i).span()});
  const auto finite = [](double value) { return std::isfinite(static_cast<float>(value)); };
  require(std::all_of(output.begin(), output.end(), finite),
          "problem {}: the solution of sample {} ({} = {}) is not finite in float32", problem.name(), i,
          problem.description().parameter.symbol, draw.parameter);
  std::copy(input.begin(), input.end(), samples.inputs.row(i).begin());
  std::copy(output.begin(), output.end(), samples.outputs.row(i).begin());
}

}  // namespace

ProblemSamples solve_samples(const Problem& problem, std::span<const double> parameters, const Grid& grid,
                             std::uint64_t seed, int threads) {
  require(!parameters.empty(), "problem {}: at least one sample must be asked for", problem.name());
  const auto count = static_cast<Index>(parameters.size());
  const Solver solve = problem.solver(grid.empty() ? problem.default_grid() : grid);
  ProblemSamples samples = allocate(problem, count, grid.empty() ? problem.default_grid() : grid);
  parallel_for(resolve_threads(threads), count, [&](std::int64_t i) {
    const double parameter = parameters[static_cast<std::size_t>(i)];
    samples.parameters[i] = parameter;
    const Draw draw{parameter, Stream(seed, Purpose::fields, static_cast<std::uint64_t>(i))};
    fill_sample(problem, solve, draw, i, samples);
  });
  return samples;
}

ProblemSamples generate_samples(const Problem& problem, const SampleRequest& request) {
  const auto [low, high] = request.range;
  require(request.count >= 1, "problem {}: {} samples asked for, expected at least 1", problem.name(),
          request.count);
  require(low <= high, "problem {}: range [{}, {}] is empty or not a number", problem.name(), low, high);
  problem.check_parameter(low);
  problem.check_parameter(high);
  std::vector<double> parameters(static_cast<std::size_t>(request.count));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i] = low + (high - low) * Stream(request.seed, Purpose::parameters, i).uniform(0);
  }
  return solve_samples(problem, parameters, request.grid, request.seed, request.threads);
}

}  // namespace nouq
