// Between numpy's arrays and ours.
//
// Contract: numbers in are used where they lie when they are float32 or float64 in any order and stride, and
// converted once otherwise; text, objects and complex numbers are a TypeError. Numbers out belong to numpy.
#pragma once

#include <fmt/format.h>
#include <nouq/array.h>
#include <nouq/strided.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace nouq::python {

namespace py = pybind11;

// Throws nouq.Error unless the condition holds.
template <class... Arguments>
void require(bool condition, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (!condition) throw Error(Error::Kind::user, fmt::format(format, std::forward<Arguments>(arguments)...));
}

// An array whose numbers the library can read; keeps what it converted.
class Numbers {
 public:
  Numbers(const char* name, const py::object& values);

  [[nodiscard]] bool given() const { return given_; }
  [[nodiscard]] const py::array& array() const { return array_; }
  [[nodiscard]] Shape shape() const;
  [[nodiscard]] Input input() const;

 private:
  py::array array_;
  bool given_ = false;
};

// A row-major copy; empty for None.
template <class T>
Array<T> to_array(const char* name, const py::object& values);

// numpy's view of numbers that it now owns.
template <class T>
py::array_t<T> to_numpy(Array<T> values);

}  // namespace nouq::python
