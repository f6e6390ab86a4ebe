#include "module.h"

#include <cstddef>

#include <nouq/error.h>
#include <nouq/version.h>

namespace nouq::python {

namespace py = pybind11;

// What a caller can mend is a ValueError, as in numpy; what failed for another reason a RuntimeError.
void bind_errors(py::module_& module) {
  static const py::object error = py::exception<Error>(module, "Error", PyExc_ValueError);
  static const py::object failure = py::exception<Error>(module, "Failure", PyExc_RuntimeError);
  for (const py::object& type : {error, failure}) type.attr("__module__") = "nouq";
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& thrown) {
      PyErr_SetString((thrown.kind() == Error::Kind::user ? error : failure).ptr(), thrown.what());
    }
  });
}

// Instances whose constructor was not called (`Model.__new__(Model)`, copies by protocol) are refused where
// they are used: pybind11 would allocate what they hold as late as that, and leave it as it is.
void guard_bare_instances(const py::module_& module) {
  for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(module.attr("__dict__"))) {
    if (!py::isinstance<py::type>(value)) continue;
    auto* info = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(value.ptr()));
    if (info == nullptr) continue;
    info->operator_new = [](std::size_t) -> void* {
      throw py::type_error("this object was made without its constructor: there is nothing in it");
    };
  }
}

}  // namespace nouq::python

PYBIND11_MODULE(_nouq, module) {
  using namespace nouq::python;
  module.attr("__version__") = NOUQ_VERSION;
  bind_errors(module);
  bind_data(module);
  bind_problems(module);
  bind_model(module);
  bind_fno(module);
  bind_training(module);
  bind_improve(module);
  bind_metrics(module);
  bind_conserve(module);
  guard_bare_instances(module);
}
