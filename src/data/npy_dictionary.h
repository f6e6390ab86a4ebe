// The header of an NPY file is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4),
// }.
//
// Why: reading it must not mean evaluating Python. This is a parser for exactly those three keys, in any
// order. Contract: every key once, nothing else; anything unexpected throws an Error that says what was
// expected and at which byte of the header.
#pragma once

#include <string>
#include <string_view>

#include "core/array.h"

namespace nouq {

struct NpyDictionary {
  std::string description;
  bool fortran_order = false;
  Shape shape;
};

NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& source);

}  // namespace nouq
