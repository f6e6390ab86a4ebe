// Conservation laws and the projection onto them.
#include "arrays.h"
#include "conserve/bounded_projection.h"
#include "conserve/constraint_kinds.h"
#include "conserve/projection.h"
#include "module.h"

namespace nouq::python {
namespace {

// Constraints together with the grid they are on, which some covariances ask for.
struct Law {
  LinearConstraints rows;
  FieldLayout layout;
};

// Right-hand sides for all samples may lack the first extent.
Array<double> right_hand_sides(const py::object& values, std::size_t rank) {
  Array<double> array = to_array<double>("values", values);
  Shape shape = array.shape();
  if (shape.size() + 1 == rank) shape.insert(shape.begin(), 1);
  return {shape, array.begin(), array.end()};
}

Law integral(const Grid& grid, const std::string& axis, const py::object& values, const std::string& rule,
             Index channel, Index channels, double slack) {
  Law law{{}, {grid, channels}};
  law.rows = integral_constraints(law.layout, {axis}, quadrature_from_name(rule),
                                  right_hand_sides(values, grid.size()), channel);
  law.rows.set_slack(slack);
  return law;
}

Law boundary(const Grid& grid, const std::string& axis, const std::string& side, const py::object& values,
             Index channel, Index channels, double slack) {
  require(side == "low" || side == "high", "side = '{}': expected 'low' or 'high'", side);
  Law law{{}, {grid, channels}};
  law.rows = boundary_constraints(law.layout, axis, side == "low" ? Side::low : Side::high,
                                  right_hand_sides(values, grid.size()), channel);
  law.rows.set_slack(slack);
  return law;
}

Law points(const Grid& grid, const py::object& coordinates, const py::object& values, Index channel,
           Index channels, double slack) {
  Law law{{}, {grid, channels}};
  const Array<double> places = to_array<double>("coordinates", coordinates);
  law.rows = point_constraints(law.layout, places.view(), right_hand_sides(values, 2), channel);
  law.rows.set_slack(slack);
  return law;
}

Law stacked(const std::vector<Law>& laws) {
  require(!laws.empty(), "no constraints to put together");
  std::vector<LinearConstraints> parts;
  parts.reserve(laws.size());
  for (const Law& law : laws) parts.push_back(law.rows);
  return {stack(parts), laws.front().layout};
}

// Infinite or None: no bound.
Array<double> bound_values(const char* name, const py::object& bound, const FieldLayout& layout) {
  return bound.is_none() ? Array<double>() : as_bounds(to_array<double>(name, bound), layout, name);
}

py::tuple project_within(const py::object& mean, const py::object& variance, const py::object& samples,
                         const Law& law, const py::object& lower, const py::object& upper, int threads) {
  Array<double> m = to_array<double>("mean", mean), v = to_array<double>("variance", variance),
                s = to_array<double>("samples", samples);
  Inequalities bounds{bound_values("lower", lower, law.layout), bound_values("upper", upper, law.layout), {}};
  {
    const py::gil_scoped_release free;
    BoundedOptions options;
    options.threads = threads;
    BoundedProjector(law.rows, std::move(bounds), law.layout, options)
        .project({m.view(), v.view(), std::as_const(s).view()}, {m.view(), v.view(), s.view()});
  }
  const py::object projected = s.empty() ? py::object(py::none()) : to_numpy(std::move(s));
  return py::make_tuple(to_numpy(std::move(m)), to_numpy(std::move(v)), projected);
}

py::tuple project_fields(const py::object& mean, const py::object& variance, const py::object& samples,
                         const Law& law, double diagonal_share, const std::string& independent_axis,
                         int threads) {
  Array<double> m = to_array<double>("mean", mean), v = to_array<double>("variance", variance),
                s = to_array<double>("samples", samples);
  {
    const py::gil_scoped_release free;
    Projector projector(law.rows, law.layout,
                        {.covariance = {diagonal_share, independent_axis}, .threads = threads});
    projector.project({m.view(), v.view(), std::as_const(s).view()}, {m.view(), v.view(), s.view()});
  }
  const py::object projected = s.empty() ? py::object(py::none()) : to_numpy(std::move(s));
  return py::make_tuple(to_numpy(std::move(m)), to_numpy(std::move(v)), projected);
}

}  // namespace

void bind_conserve(py::module_& module) {
  py::class_<Law>(module, "Constraints", "Linear laws G u = b on the fields of a grid.")
      .def_property_readonly("rows", [](const Law& law) { return law.rows.rows(); })
      .def_property_readonly("names", [](const Law& law) { return law.rows.names; })
      .def_property_readonly("grid", [](const Law& law) { return law.layout.grid; })
      .def("__repr__", [](const Law& law) { return fmt::format("Constraints({} rows)", law.rows.rows()); });
  module.def("integral", &integral, py::arg("grid"), py::arg("axis"), py::arg("values"), py::arg("rule"),
             py::arg("channel"), py::arg("channels"), py::arg("slack"));
  module.def("boundary", &boundary, py::arg("grid"), py::arg("axis"), py::arg("side"), py::arg("values"),
             py::arg("channel"), py::arg("channels"), py::arg("slack"));
  module.def("points", &points, py::arg("grid"), py::arg("coordinates"), py::arg("values"),
             py::arg("channel"), py::arg("channels"), py::arg("slack"));
  module.def("stack", &stacked, py::arg("constraints"));
  module.def("project", &project_fields, py::arg("mean"), py::arg("variance"), py::arg("samples"),
             py::arg("constraints"), py::arg("diagonal_share"), py::arg("independent_axis"),
             py::arg("threads"));
  module.def("project_within", &project_within, py::arg("mean"), py::arg("variance"), py::arg("samples"),
             py::arg("constraints"), py::arg("lower"), py::arg("upper"), py::arg("threads"));
}

}  // namespace nouq::python
