// The built-in PDE problems: what they are, and data from them.
#include "arrays.h"
#include "data/generate.h"
#include "data/recorded_problem.h"
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

// A name of a shift, or the two ends of a range.
ParameterRange range_of(const Problem& problem, const py::object& range) {
  if (py::isinstance<py::str>(range)) return problem.range(shift_from_name(range.cast<std::string>()));
  const auto ends = range.cast<std::pair<double, double>>();
  return {ends.first, ends.second};
}

DataSet generate(const std::string& name, Index count, const py::object& range, std::uint64_t seed,
                 const ProblemOptions& options, const std::optional<Grid>& grid, int threads) {
  const auto problem = make_problem(name, options);
  const SampleRequest request{count, seed, range_of(*problem, range), grid.value_or(Grid{}), threads};
  const py::gil_scoped_release free;
  DataSet data = generate_data_set(*problem, request);
  record_options(options, data.provenance);
  return data;
}

}  // namespace

void bind_problems(py::module_& module) {
  module.def("problem_names", &problem_names);
  module.def("describe_problem", &describe, py::arg("name"));
  module.def("generate", &generate, py::arg("name"), py::arg("count"), py::arg("range"), py::arg("seed"),
             py::arg("options"), py::arg("grid"), py::arg("threads"));
}

}  // namespace nouq::python
