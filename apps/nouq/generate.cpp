// nouq generate: a data set from a built-in problem.
#include <nouq/data.h>
#include <nouq/problem.h>

#include "argument_values.h"
#include "commands.h"
#include "core/error.h"
#include "job.h"

namespace nouq::cli {
namespace {

struct GenerateOptions {
  std::string problem;
  std::string range;
  std::string shift;
  Index samples = 400;
  std::uint64_t seed = 0;
  std::string grid;
  std::vector<std::string> problem_options;
  int threads = 0;
  std::filesystem::path output;
};

OptionTable generate_table(GenerateOptions& options) {
  OptionTable table(
      "generate", "make a data set from a built-in problem",
      "The parameter of the problem is drawn uniformly from the range it is trained on, or from the "
      "one given. The same options give the same file, on any number of threads and of ranks (mpirun).");
  table.group("What to draw");
  table.add("problem", options.problem, "the problem; 'nouq problems' describes them")
      .one_of(problem_names())
      .as_positional()
      .as_required();
  table.add("range", options.range, "range of the parameter, instead of the problem's own").shown_as("A:B");
  table.add("shift", options.shift, "one of the problem's ranges: how far from the training data")
      .one_of(shift_names())
      .shown_as("SHIFT");
  table.add("samples", options.samples, "number of samples").with_letter('n').between(1, 1e9);
  table.add("seed", options.seed, "of the random numbers");
  table.add("grid", options.grid, "points along each axis, instead of the problem's own").shown_as("64x32");
  table.add("option", options.problem_options, "options of the problem").shown_as("NAME=VALUE");
  table.group("How");
  table.add("output", options.output, "where to: NAME.npz or NAME.h5").with_letter('o').as_required();
  table.add("threads", options.threads, "0 for all cores").at_least(0);
  table.example("nouq generate pme --range 2:3 -n 400 -o pme.h5",
                "400 solutions of the porous medium equation");
  table.example("mpirun -n 16 nouq generate darcy -n 20000 -o darcy.h5",
                "The same file as from one process, sooner");
  table.example("nouq generate heat --shift large -n 100 --seed 1 -o far.npz",
                "A test set far from the training data");
  return table;
}

// --grid is short for the options that give the number of points: nx, ny, nt.
ProblemOptions problem_options(const GenerateOptions& options) {
  ProblemOptions given = parse_pairs(options.problem_options, "--option");
  if (options.grid.empty()) return given;
  const auto extents = parse_extents(options.grid, "--grid");
  const auto plain = make_problem(options.problem);
  const auto& axes = plain->description().domain;
  require(extents.size() == axes.size(), "--grid = {}: problem {} has {} axes, expected as many numbers",
          options.grid, options.problem, axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string name = "n" + axes[i].axis.name;
    require(given.emplace(name, std::to_string(extents[i])).second,
            "--grid and --option {} say the same thing: give one", name);
  }
  return given;
}

ParameterRange range_of(const GenerateOptions& options, const Problem& problem) {
  require(options.range.empty() || options.shift.empty(), "--range and --shift exclude each other: give one");
  if (!options.range.empty()) return parse_range(options.range, "--range");
  return problem.range(options.shift.empty() ? Shift::in_domain : shift_from_name(options.shift));
}

void run_generate(const GenerateOptions& options, Output& output) {
  require_writable(options.output.string());
  start_together({}, output);
  GenerateSettings settings;
  settings.options = problem_options(options);
  const auto problem = make_problem(options.problem, settings.options);
  const ParameterRange range = range_of(options, *problem);
  settings.samples = options.samples;
  settings.seed = options.seed;
  settings.range = {range.low, range.high};
  settings.threads = options.threads;
  DataSet data = generate(options.problem, settings);
  data.provenance["made by"] = "nouq generate " NOUQ_VERSION;
  write(options.output.string(), data);
  output.say("{}: {} samples of {} on a {} grid, {} in [{}, {}]", options.output.string(), data.size(),
             options.problem, to_string(shape_of(data.grid)), problem->description().parameter.symbol,
             range.low, range.high);
  output.result({{"file", options.output.string()},
                 {"problem", options.problem},
                 {"samples", data.size()},
                 {"grid", shape_of(data.grid)},
                 {"range", {range.low, range.high}},
                 {"fingerprint", fingerprint(data)}});
}

}  // namespace

Command generate_command() { return make_command(generate_table, run_generate); }

}  // namespace nouq::cli
