// The real matrix product all layers are made of: C = A B, C += A B, C = bias + A B, or C = factor * (A B) by
// element.
//
// Why: the transforms, the pointwise linear layers and their gradients are products of small matrices that
// live in cache. General BLAS calls lose a factor of two on such shapes; here a tile of C stays in registers
// while A is broadcast and B is read as rows of channels. Contract: row-major; any sizes, zero included. A
// may be walked in any order through its two strides (so a transposed A costs nothing). Each element of C is
// one sum over k in ascending order: the result does not depend on the tiling.
#pragma once

#include "core/array.h"

namespace nouq {

template <class T>
struct Product {
  Index rows = 0;     // of C and A
  Index columns = 0;  // of C and B
  Index depth = 0;    // the summed index k
  const T* a = nullptr;
  Index a_row_stride = 0;  // A(i, k) = a[i * a_row_stride + k * a_depth_stride]
  Index a_depth_stride = 1;
  const T* b = nullptr;
  Index b_stride = 0;  // B(k, j) = b[k * b_stride + j]
  T* c = nullptr;
  Index c_stride = 0;
  const T* bias = nullptr;    // one row added to every row of C; may be null
  bool accumulate = false;    // add to C instead of replacing it
  const T* factor = nullptr;  // multiplies each element of C, in C's own layout; may be null
};

void multiply(const Product<float>& product);
void multiply(const Product<double>& product);

}  // namespace nouq
