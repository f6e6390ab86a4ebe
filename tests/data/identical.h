// Bit for bit the same: unlike ==, tells 0 from -0.
#pragma once

#include <cstring>

#include <nouq/data.h>

namespace nouq::test {

template <class T>
bool identical(const Array<T>& a, const Array<T>& b) {
  return a.shape() == b.shape() &&
         (a.empty() || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0);
}

inline bool identical(const DataSet& a, const DataSet& b) {
  if (!(a == b) || !identical(a.inputs, b.inputs) || !identical(a.outputs, b.outputs)) return false;
  if (!identical(a.parameters, b.parameters)) return false;
  for (const auto& [name, values] : a.constraint_values) {
    if (!identical(values, b.constraint_values.at(name))) return false;
  }
  return true;
}

}  // namespace nouq::test
