#include "api/strided_copy.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "core/error.h"

namespace nouq {
namespace {

// The same elements in the same order with as few extents as possible: neighbours that continue each other
// become one, extents of 1 go.
Layout simplified(const Layout& layout) {
  Layout simple;
  for (int axis = 0; axis < layout.rank; ++axis) {
    const std::size_t a = axis;
    if (layout.extent[a] == 1) continue;
    const std::size_t last = std::max(0, simple.rank - 1);
    if (simple.rank > 0 && simple.stride[last] == layout.stride[a] * layout.extent[a]) {
      simple.extent[last] *= layout.extent[a];
      simple.stride[last] = layout.stride[a];
    } else {
      simple.extent[simple.rank] = layout.extent[a];
      simple.stride[simple.rank++] = layout.stride[a];
    }
  }
  return simple;
}

bool is_contiguous(const Layout& layout) {
  const Layout simple = simplified(layout);
  return simple.rank == 0 || (simple.rank == 1 && simple.stride[0] == 1);
}

Layout part(Layout layout, Index first, Index count, Index& offset) {
  offset = 0;
  if (layout.rank == 0) return layout;
  offset = first * layout.stride[0];
  layout.extent[0] = count;
  return layout;
}

// visit(offset) for every element, in row-major order.
template <class Visit>
void for_each(const Layout& layout, int axis, Index offset, Visit& visit) {
  if (axis == layout.rank) return visit(offset);
  const Index extent = layout.extent[axis];
  const Index stride = layout.stride[axis];
  if (axis + 1 == layout.rank) {
    for (Index i = 0; i < extent; ++i) visit(offset + i * stride);
  } else {
    for (Index i = 0; i < extent; ++i) for_each(layout, axis + 1, offset + i * stride, visit);
  }
}

template <class From, class T>
void read(const From* data, const Layout& layout, Index offset, T* out) {
  auto visit = [&](Index at) { *out++ = static_cast<T>(data[at]); };
  for_each(simplified(layout), 0, offset, visit);
}

template <class T, class To>
void write(const T* values, To* data, const Layout& layout, Index offset) {
  auto visit = [&](Index at) { data[at] = static_cast<To>(*values++); };
  for_each(simplified(layout), 0, offset, visit);
}

template <class Void>
void require_countable(const char* name, const Strided<Void>& array) {
  require(array.data != nullptr, "{} is missing (a null pointer)", name);
  require(array.type == Real::float32 || array.type == Real::float64,
          "{} has numbers of type {}: expected 1 (float32) or 2 (float64)", name,
          static_cast<std::int32_t>(array.type));
  require(array.layout.rank >= 0 && array.layout.rank <= Layout::max_rank, "{} has rank {}: expected 0 to {}",
          name, array.layout.rank, Layout::max_rank);
  element_count({array.layout.extent.data(), static_cast<std::size_t>(array.layout.rank)});
  Index reach = 0, span = 0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(array.layout.rank); ++a) {
    const bool overflow =
        array.layout.stride[a] == std::numeric_limits<Index>::min() ||
        __builtin_mul_overflow(std::abs(array.layout.stride[a]), array.layout.extent[a], &span) ||
        __builtin_add_overflow(reach, span, &reach);
    require(!overflow, "{} has a stride of {} for {} elements: further than memory reaches", name,
            array.layout.stride[a], array.layout.extent[a]);
  }
}

// Sorted by stride, each extent must step over everything below it.
bool has_own_places(const Layout& layout) {
  Layout rest = simplified(layout);
  Index reach = 1;
  for (int done = 0; done < rest.rank; ++done) {
    int least = -1;
    for (int a = 0; a < rest.rank; ++a) {
      const std::size_t i = a;
      if (rest.extent[i] < 0) continue;
      if (least < 0 || std::abs(rest.stride[i]) < std::abs(rest.stride[least])) least = a;
    }
    const std::size_t i = least;
    const Index stride = std::abs(rest.stride[i]);
    Index span = 0;
    if (stride < reach || __builtin_mul_overflow(stride, rest.extent[i] - 1, &span) ||
        __builtin_add_overflow(span, reach, &reach))
      return false;
    rest.extent[i] = -1;
  }
  return true;
}

template <class T>
constexpr Real type_of = std::is_same_v<T, float> ? Real::float32 : Real::float64;

}  // namespace

Layout::Layout(std::initializer_list<std::int64_t> extents, Order order)
    : Layout(std::span(extents.begin(), extents.size()), order) {}

Layout::Layout(std::span<const std::int64_t> extents, Order order)
    : Layout(extents, std::span<const std::int64_t>(std::array<std::int64_t, max_rank>{}.data(),
                                                    std::min<std::size_t>(extents.size(), max_rank))) {
  Index step = 1;
  for (int i = 0; i < rank; ++i) {
    const std::size_t axis = order == Order::row_major ? rank - 1 - i : i;
    stride[axis] = step;
    require(!__builtin_mul_overflow(step, std::max<Index>(1, extent[axis]), &step),
            "array shape has more elements than can be counted");
  }
}

Layout::Layout(std::span<const std::int64_t> extents, std::span<const std::int64_t> strides) {
  require(extents.size() <= max_rank, "an array of {} extents: expected at most {}", extents.size(),
          +max_rank);
  require(extents.size() == strides.size(), "{} strides for {} extents: expected as many", strides.size(),
          extents.size());
  rank = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), extent.begin());
  std::copy(strides.begin(), strides.end(), stride.begin());
}

Shape shape_of(const Layout& layout) { return {layout.extent.begin(), layout.extent.begin() + layout.rank}; }

void require_readable(const char* name, const Input& input) { require_countable(name, input); }

void require_writable(const char* name, const Output& output) {
  require_countable(name, output);
  if (!has_own_places(output.layout)) {
    fail("{} of shape {} has strides that make elements overlap", name, to_string(shape_of(output.layout)));
  }
}

template <class T>
const T* contiguous(const Input& input) {
  return input.type == type_of<T> && is_contiguous(input.layout) ? static_cast<const T*>(input.data)
                                                                 : nullptr;
}

template <class T>
T* contiguous(const Output& output) {
  return output.type == type_of<T> && is_contiguous(output.layout) ? static_cast<T*>(output.data) : nullptr;
}

template <class T>
void gather(const Input& input, Index first, Index count, T* out) {
  Index offset = 0;
  const Layout layout = part(input.layout, first, count, offset);
  if (input.type == Real::float32) {
    read(static_cast<const float*>(input.data), layout, offset, out);
  } else {
    read(static_cast<const double*>(input.data), layout, offset, out);
  }
}

template <class T>
void scatter(const T* values, const Output& output, Index first, Index count) {
  Index offset = 0;
  const Layout layout = part(output.layout, first, count, offset);
  if (output.type == Real::float32) {
    write(values, static_cast<float*>(output.data), layout, offset);
  } else {
    write(values, static_cast<double*>(output.data), layout, offset);
  }
}

Array<double> to_array(const char* name, const Input& input) {
  require_readable(name, input);
  Array<double> array(shape_of(input.layout));
  if (!array.empty()) gather(input, 0, input.layout.rank == 0 ? 1 : input.layout.extent[0], array.data());
  return array;
}

Array<double> to_variance(const Input& deviation) {
  Array<double> variance = to_array("deviation", deviation);
  for (double& value : variance) {
    require(value >= 0, "deviation: {}, expected no number below zero", value);
    value *= value;
  }
  return variance;
}

template const float* contiguous(const Input&);
template float* contiguous(const Output&);
template const double* contiguous(const Input&);
template double* contiguous(const Output&);
template void gather(const Input&, Index, Index, float*);
template void gather(const Input&, Index, Index, double*);
template void gather(const Input&, Index, Index, Index*);
template void scatter(const float*, const Output&, Index, Index);
template void scatter(const double*, const Output&, Index, Index);

}  // namespace nouq
