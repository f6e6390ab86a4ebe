// NPY: one array in a file, numpy's own format (versions 1.0, 2.0 and 3.0).
//
// Why: numpy reads and writes it, it is lossless, and it is simple enough to be read
// without trusting it. When: single arrays, and the members of an NPZ file. Contract: reading takes float32,
// float64, integers and booleans of either byte order, in C or Fortran order, and gives C order; object
// (pickle), structured, complex and half types are refused. The number of bytes after the header must be
// exactly what the shape says, and this is checked before anything is allocated. Writing gives version 1.0,
// little-endian, C order.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/array.h>

#include "core/file.h"
#include "data/file_format.h"

namespace nouq {

struct NpyHeader {
  char kind = 'f';            // f: IEEE float, i and u: integers, b: bool, U: text
  std::size_t item_size = 4;  // bytes per element
  bool big_endian = false;
  bool fortran_order = false;
  Shape shape;
  std::size_t data_offset = 0;  // where the values begin
};

// Checks everything but the values. `source` names the file and the array in messages.
NpyHeader read_npy_header(std::span<const std::byte> bytes, const std::string& source);

// The values as float, double or std::string (UTF-8, from numpy's '<U' arrays). A conversion that can change
// values (float64 to float32) is reported. Of a `mapping`, whose bytes these are, no more than a piece is
// held in memory at a time.
template <class T>
Array<T> read_npy(std::span<const std::byte> bytes, const std::string& source, LoadReport* report = nullptr,
                  const MappedFile* mapping = nullptr);

// The complete file except for numeric values, which the writer appends from the array itself.
template <class T>
std::string npy_header(const Array<T>& array);
// The values of a text array as UTF-32, as `npy_header` announces them. Throws unless the text is UTF-8
// without zero bytes (numpy cannot keep a trailing one).
std::vector<std::byte> npy_text_values(const Array<std::string>& array);

template <class T>
Array<T> load_npy(const std::filesystem::path& path, LoadReport* report = nullptr);
template <class T>
void save_npy(const std::filesystem::path& path, const Array<T>& array);

// The header of an NPY file is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4),
// }. Why: reading it must not mean evaluating Python. This is a parser for exactly those three keys, in any
// order. Contract: every key once, nothing else; anything unexpected throws an Error that says what was
// expected and at which byte of the header.
struct NpyDictionary {
  std::string description;
  bool fortran_order = false;
  Shape shape;
};

NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& source);

}  // namespace nouq
