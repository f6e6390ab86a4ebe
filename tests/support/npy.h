// Reads the golden arrays of the tests: NPY, little-endian float32 or float64, C order, nothing else.
#pragma once

#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <nouq/array.h>

#include "core/error.h"
#include "core/file.h"
#include "support/paths.h"

namespace nouq::test {

// The text between `open` and `close` after `key` in the header.
inline std::string npy_field(const std::string& header, const std::string& key, char open, char close) {
  const auto at = header.find(key);
  require(at != std::string::npos, "npy header without {}", key);
  const auto begin = header.find(open, at + key.size());
  const auto end = header.find(close, begin + 1);
  require(begin != std::string::npos && end != std::string::npos, "npy header with a broken {}", key);
  return header.substr(begin + 1, end - begin - 1);
}

inline Shape npy_shape(const std::string& header) {
  std::istringstream list(npy_field(header, "'shape'", '(', ')'));
  Shape shape;
  for (std::string extent; std::getline(list, extent, ',');) {
    if (extent.find_first_not_of(' ') != std::string::npos) shape.push_back(std::stoll(extent));
  }
  return shape;
}

template <class T>
void npy_values(const std::string& bytes, std::size_t begin, Array<double>& array) {
  require(bytes.size() - begin == static_cast<std::size_t>(array.size()) * sizeof(T),
          "npy file of wrong length");
  for (Index i = 0; i < array.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + begin + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    array[i] = static_cast<double>(value);
  }
}

// `name` is relative to tests/golden, e.g. "d_metrics/mu.npy".
inline Array<double> read_npy(const std::string& name) {
  const MappedFile file(golden_dir() + "/" + name);
  const std::string bytes(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  require(bytes.size() > 10 && bytes.compare(0, 7, "\x93NUMPY\x01") == 0,
          "{} is not an npy file of version 1", name);
  const std::size_t begin =
      10U + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
  require(begin <= bytes.size(), "{} ends inside its header", name);
  const std::string header = bytes.substr(10, begin - 10);
  require(header.find("'fortran_order': False") != std::string::npos, "{} is not in C order", name);
  Array<double> array(npy_shape(header));
  const std::string type = npy_field(header, "'descr':", '\'', '\'');
  require(type == "<f4" || type == "<f8", "{} holds {}, expected <f4 or <f8", name, type);
  if (type == "<f4") {
    npy_values<float>(bytes, begin, array);
  } else {
    npy_values<double>(bytes, begin, array);
  }
  return array;
}

}  // namespace nouq::test
