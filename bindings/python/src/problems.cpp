// The built-in PDE problems: what they are, and data from them.
#include <nouq/data.h>
#include <nouq/problem.h>

#include "arrays.h"
#include "module.h"

namespace nouq::python {
namespace {

py::dict describe(const std::string& name) {
  const auto problem = make_problem(name);
  const ProblemDescription& about = problem->description();
  py::dict result, ranges, options;
  for (const Shift shift : all_shifts)
    ranges[py::str(to_string(shift))] = py::make_tuple(problem->range(shift).low, problem->range(shift).high);
  for (const ProblemOption& option : about.options) options[py::str(option.name)] = option.default_value;
  result["name"] = about.name;
  result["words"] = about.words;
  result["equation"] = about.equation;
  result["conditions"] = about.conditions;
  result["citation"] = about.citation;
  result["parameter"] = about.parameter.name;
  result["ranges"] = ranges;
  result["options"] = options;
  result["has_mass_law"] = problem->has_mass_law();
  return result;
}

// `range`: the name of a shift, or the two ends of a range.
DataSet generate_data(const std::string& name, Index count, const py::object& range, std::uint64_t seed,
                      const ProblemOptions& options, const std::optional<Grid>& grid, int threads) {
  GenerateSettings settings;
  settings.samples = count;
  if (py::isinstance<py::str>(range)) {
    settings.shift = range.cast<std::string>();
  } else {
    settings.range = range.cast<std::pair<double, double>>();
  }
  settings.seed = seed;
  settings.options = options;
  settings.grid = grid.value_or(Grid{});
  settings.threads = threads;
  const py::gil_scoped_release free;
  return generate(name, settings);
}

}  // namespace

void bind_problems(py::module_& module) {
  module.def("problem_names", &problem_names);
  module.def("describe_problem", &describe, py::arg("name"));
  module.def("generate", &generate_data, py::arg("name"), py::arg("count"), py::arg("range"), py::arg("seed"),
             py::arg("options"), py::arg("grid"), py::arg("threads"));
}

}  // namespace nouq::python
