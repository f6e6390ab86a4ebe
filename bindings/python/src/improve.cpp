// The loop with the solver, which is a Python function here.
#include <nouq/improve.h>
#include <nouq/train.h>

#include "arrays.h"
#include "module.h"

namespace nouq::python {
namespace {

// (parameters, inputs) -> outputs, or (outputs, values of laws by name). What it raises is a failed run.
RunSolver solver_of(const py::object& call, const DataSet& data) {
  return [call, names = data.parameter_names](const SolverRun& run) {
    const py::gil_scoped_acquire held;
    try {
      py::dict parameters;
      for (std::size_t c = 0; c < names.size(); ++c)
        parameters[py::str(names[c].name)] = run.question.parameters[static_cast<Index>(c)];
      Shape shape = run.question.inputs.shape();
      shape.erase(shape.begin());
      const Array<float>& inputs = run.question.inputs;
      py::object said = call(parameters, to_numpy(Array<float>(shape, {inputs.begin(), inputs.end()})));
      SolverAnswer answer;
      if (py::isinstance<py::tuple>(said)) {
        const auto pair = said.cast<std::pair<py::object, std::map<std::string, py::object>>>();
        for (const auto& [name, values] : pair.second)
          answer.constraint_values[name] = to_array<double>(name.c_str(), values);
        said = pair.first;
      }
      answer.outputs = to_array<double>("outputs", said);
      return answer;
    } catch (py::error_already_set& error) {
      if (error.matches(PyExc_KeyboardInterrupt)) throw Cancelled("stopped");
      throw Error(Error::Kind::user, error.what());
    }
  };
}

py::dict as_dict(const ImproveRound& r) {
  return py::dict(py::arg("runs") = r.runs, py::arg("samples") = r.samples, py::arg("held_out") = r.held_out,
                  py::arg("error") = r.error, py::arg("checks") = r.checks, py::arg("expected") = r.expected,
                  py::arg("in_domain") = r.in_domain);
}

py::dict as_dict(const SetAside& one) {
  return py::dict(py::arg("run") = one.run, py::arg("parameters") = one.parameters,
                  py::arg("reason") = one.reason);
}

py::tuple improve_with(const DataSet& data, const py::object& solver, const ImproveSettings& settings,
                       const py::object& tell) {
  ImproveProgress progress;
  if (!tell.is_none())
    progress.on_round = [&](const ImproveRound& round) {
      const py::gil_scoped_acquire held;
      tell(as_dict(round));
    };
  progress.training.should_stop = [] {
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return false;
  };
  const RunSolver run = solver_of(solver, data);
  std::optional<Improved> done;
  {
    const py::gil_scoped_release free;
    done = improve(data, settings, run, progress);
  }
  py::list rounds, lost;
  for (const ImproveRound& round : done->rounds) rounds.append(as_dict(round));
  for (const SetAside& one : done->set_aside) lost.append(as_dict(one));
  return py::make_tuple(done->model, done->data, rounds, lost, done->reached);
}

ImproveSettings settings_of(const py::dict& given, const std::string& train) {
  ImproveSettings s;
  if (!given["ranges"].is_none())
    for (const auto& [name, range] : given["ranges"].cast<std::map<std::string, std::pair<double, double>>>())
      s.ranges.push_back({name, range.first, range.second});
  if (!given["candidates"].is_none()) s.candidates = given["candidates"].cast<DataSet>();
  if (!given["validation"].is_none()) s.validation = given["validation"].cast<DataSet>();
  s.budget = given["budget"].cast<Index>();
  s.batch = given["per_round"].cast<Index>();
  s.target = given["target"].cast<double>();
  s.trusted = given["trusted"].cast<double>();
  s.design = given["design"].cast<std::string>();
  s.retrain = given["retrain"].cast<std::string>();
  s.among = given["among"].cast<Index>();
  s.jobs = given["jobs"].cast<int>();
  s.retries = given["retries"].cast<Index>();
  s.folder = given["folder"].cast<std::string>();
  s.train = settings_from_json(train);
  s.seed = s.train.seed;
  return s;
}

}  // namespace

void bind_improve(py::module_& module) {
  module.def(
      "improve",
      [](const DataSet& data, const py::object& solver, const py::dict& settings, const std::string& train,
         const py::object& tell) { return improve_with(data, solver, settings_of(settings, train), tell); },
      py::arg("data"), py::arg("solver"), py::arg("settings"), py::arg("train"), py::arg("tell"));
}

}  // namespace nouq::python
