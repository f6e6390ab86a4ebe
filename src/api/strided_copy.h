// Copies between the caller's strided arrays and contiguous ones of the library's own number type.
//
// Contract: elements are taken in row-major order of the layout, whatever the strides. A part is the given
// range of the first extent. An array whose numbers already lie as wanted need not be copied: contiguous()
// then gives them as they are.
#pragma once

#include <nouq/array.h>
#include <nouq/strided.h>

namespace nouq {

Shape shape_of(const Layout& layout);
// Throws, naming the array, unless it is there and its elements can be counted; strides of outputs must not
// let two elements share a place.
void require_readable(const char* name, const Input& input);
void require_writable(const char* name, const Output& output);

// The numbers themselves when they are of type T, row-major and without gaps; null otherwise.
template <class T>
const T* contiguous(const Input& input);
template <class T>
T* contiguous(const Output& output);

template <class T>
void gather(const Input& input, Index first, Index count, T* out);
template <class T>
void scatter(const T* values, const Output& output, Index first, Index count);

// All of an array, in double.
Array<double> to_array(const char* name, const Input& input);
// All of a standard deviation, squared; throws when one is negative or no number.
Array<double> to_variance(const Input& deviation);

}  // namespace nouq
