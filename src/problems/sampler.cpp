#include "problems/sampler.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <nouq/random.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/shared_work.h"
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
// `first`: the number of the first of these samples among all.
void fill_samples(const Problem& problem, std::span<const double> parameters, std::uint64_t seed, int threads,
                  const Solver& solve, ProblemSamples& samples, Index first = 0) {
  const InputMaker make_input = problem.inputs(samples.grid);
  const std::size_t points = element_count(shape_of(samples.grid));
  const auto finite = [](double value) { return std::isfinite(static_cast<float>(value)); };
  parallel_for(resolve_threads(threads), samples.inputs.extent(0), [&](Index i) {
    const double parameter = samples.parameters[i] = parameters[i];
    const Draw draw{parameter, Stream(seed, Purpose::fields, static_cast<std::uint64_t>(first + i))};
    std::vector<double> input(points);
    make_input(draw, input);
    std::copy(input.begin(), input.end(), samples.inputs.row(i).begin());
    if (!solve) return;
    std::vector<double> output(points);
    solve(draw, {input, output, samples.mass.empty() ? std::span<double>{} : samples.mass.row(i).span()});
    require(std::all_of(output.begin(), output.end(), finite),
            "problem {}: the solution of sample {} ({} = {}) is not finite in float32", problem.name(),
            first + i, problem.description().parameter.symbol, parameter);
    std::copy(output.begin(), output.end(), samples.outputs.row(i).begin());
  });
}

ProblemSamples solved(const Problem& problem, std::span<const double> parameters, const Grid& grid,
                      std::uint64_t seed, int threads, const Solver& solve, Index first = 0) {
  ProblemSamples samples = allocate(problem, std::ssize(parameters), grid);
  allocate_solutions(problem, samples);
  fill_samples(problem, parameters, seed, threads, solve, samples, first);
  return samples;
}

// Samples over the ranks of a job. The ranks agree on pieces that do not depend on threads.
class SamplesWork final : public SharedWork {
 public:
  SamplesWork(const Communicator& ranks, const Problem& problem, std::span<const double> parameters,
              const Grid& grid, std::uint64_t seed, int threads)
      : problem_(problem),
        parameters_(parameters),
        grid_(grid),
        seed_(seed),
        threads_(threads),
        piece_(std::clamp<Index>(std::ssize(parameters) / (8 * ranks.size()), 1, 256)),
        solve_(problem.solver(grid)) {
    if (ranks.rank() > 0) return;
    all = allocate(problem, std::ssize(parameters), grid);
    allocate_solutions(problem, all);
  }

  [[nodiscard]] Index count() const override { return (std::ssize(parameters_) + piece_ - 1) / piece_; }
  [[nodiscard]] int workers() const override { return 1; }
  [[nodiscard]] std::string identity() const override {
    return fmt::format("{} samples of {} on {}: {} {:016x}", parameters_.size(), problem_.name(),
                       to_string(shape_of(grid_)), seed_, crc64(std::as_bytes(parameters_)));
  }

  Bytes perform(Index task, std::span<const std::byte>, Desk&) override {
    const auto rest = parameters_.subspan(task * piece_);
    const auto own = rest.first(std::min<std::size_t>(rest.size(), piece_));
    const ProblemSamples made = solved(problem_, own, grid_, seed_, threads_, solve_, task * piece_);
    return Packer()
        .add(std::as_bytes(made.inputs.span()))
        .add(std::as_bytes(made.outputs.span()))
        .add(std::as_bytes(made.parameters.span()))
        .add(std::as_bytes(made.mass.span()))
        .take();
  }

  void receive(Index task, std::span<const std::byte> result, bool /*whole*/) override {
    Unpacker message(result);
    put(task, message.bytes(), all.inputs);
    put(task, message.bytes(), all.outputs);
    put(task, message.bytes(), all.parameters);
    put(task, message.bytes(), all.mass);
  }

  ProblemSamples all;  // on rank 0

 private:
  template <class T>
  void put(Index task, std::span<const std::byte> rows, Array<T>& array) const {
    if (array.empty()) return;
    const auto place =
        std::as_writable_bytes(array.span())
            .subspan(task * piece_ * sizeof(T) * static_cast<std::size_t>(array.size() / array.extent(0)));
    std::copy(rows.begin(), rows.end(), place.begin());
  }

  const Problem& problem_;
  std::span<const double> parameters_;
  const Grid& grid_;
  std::uint64_t seed_;
  int threads_;
  Index piece_;
  Solver solve_;
};

}  // namespace

ProblemSamples input_samples(const Problem& problem, std::span<const double> parameters, const Grid& grid,
                             std::uint64_t seed, int threads) {
  require(!parameters.empty(), "problem {}: at least one sample must be asked for", problem.name());
  ProblemSamples samples =
      allocate(problem, std::ssize(parameters), grid.empty() ? problem.default_grid() : grid);
  fill_samples(problem, parameters, seed, threads, {}, samples);
  return samples;
}

ProblemSamples solve_samples(const Problem& problem, std::span<const double> parameters, const Grid& given,
                             std::uint64_t seed, int threads, Communicator* ranks) {
  require(!parameters.empty(), "problem {}: at least one sample must be asked for", problem.name());
  const Grid grid = given.empty() ? problem.default_grid() : given;
  if (ranks == nullptr || ranks->size() == 1)
    return solved(problem, parameters, grid, seed, threads, problem.solver(grid));
  SamplesWork work(*ranks, problem, parameters, grid, seed, threads);
  share(*ranks, work);
  return std::move(work.all);
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
  return solve_samples(problem, parameters, request.grid, request.seed, request.threads, request.ranks);
}

}  // namespace nouq
