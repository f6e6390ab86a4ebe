// The parts of the extension module nouq._nouq; the Python files beside it make the public interface of them.
#pragma once

#include <pybind11/pybind11.h>

namespace nouq::python {

void bind_errors(pybind11::module_& module);
void bind_data(pybind11::module_& module);
void bind_problems(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_fno(pybind11::module_& module);
void bind_training(pybind11::module_& module);
void bind_improve(pybind11::module_& module);
void bind_metrics(pybind11::module_& module);
void bind_conserve(pybind11::module_& module);

}  // namespace nouq::python
