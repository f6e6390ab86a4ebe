#include "arrays.h"

#include <memory>
#include <string_view>

namespace nouq::python {
namespace {

bool is_usable(const py::array& array) {
  const py::dtype type = array.dtype();
  if (type.kind() != 'f' || (type.itemsize() != 4 && type.itemsize() != 8)) return false;
  if (!type.attr("isnative").cast<bool>() || !array.attr("flags").attr("aligned").cast<bool>()) return false;
  for (py::ssize_t a = 0; a < array.ndim(); ++a) {
    if (array.strides(a) % type.itemsize() != 0) return false;
  }
  return true;
}

}  // namespace

Numbers::Numbers(const char* name, const py::object& values) {
  if (values.is_none()) return;
  array_ = py::array::ensure(values);
  if (!array_) throw py::type_error(fmt::format("{} is not an array of numbers", name));
  if (std::string_view("fiub").find(array_.dtype().kind()) == std::string_view::npos) {
    throw py::type_error(
        fmt::format("{} holds {}: expected real numbers", name, py::str(array_.dtype()).cast<std::string>()));
  }
  require(array_.ndim() <= Layout::max_rank, "{} has {} dimensions: expected at most {}", name, array_.ndim(),
          +Layout::max_rank);
  if (!is_usable(array_)) array_ = py::array_t<double, py::array::c_style | py::array::forcecast>(array_);
  given_ = true;
}

Shape Numbers::shape() const {
  if (!given_) return {};
  return {array_.shape(), array_.shape() + array_.ndim()};
}

Input Numbers::input() const {
  if (!given_) return {};
  Shape strides;
  for (py::ssize_t a = 0; a < array_.ndim(); ++a) strides.push_back(array_.strides(a) / array_.itemsize());
  Input input;
  input.data = array_.data();
  input.type = array_.itemsize() == 4 ? Real::float32 : Real::float64;
  input.layout = Layout(shape(), strides);
  return input;
}

template <class T>
Array<T> to_array(const char* name, const py::object& values) {
  const Numbers numbers(name, values);
  if (!numbers.given()) return {};
  const auto dense = py::array_t<T, py::array::c_style | py::array::forcecast>::ensure(numbers.array());
  return {numbers.shape(), dense.data(), dense.data() + dense.size()};
}

template <class T>
py::array_t<T> to_numpy(Array<T> values) {
  auto owned = std::make_unique<Array<T>>(std::move(values));
  Array<T>& array = *owned;
  const py::capsule keeper(owned.release(), [](void* memory) { delete static_cast<Array<T>*>(memory); });
  return py::array_t<T>(array.shape(), array.data(), keeper);
}

template Array<float> to_array(const char*, const py::object&);
template Array<double> to_array(const char*, const py::object&);
template py::array_t<float> to_numpy(Array<float>);
template py::array_t<double> to_numpy(Array<double>);

}  // namespace nouq::python
