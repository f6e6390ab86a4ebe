#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/names.h"
#include "data/array_file.h"
#include "data/import.h"

namespace nouq {
namespace {

Array<double> read_array(const RunFile& file, const std::string& name) {
  if (!file.has(name)) fail_unknown_name("array", name, file.names());
  return file.read(name);
}

// [outer][n][inner][rest] becomes [outer][inner][n][rest]: an axis moves behind the others of the grid.
Array<double> with_axis_last(const Array<double>& from, std::size_t axis, std::size_t axes) {
  Shape shape = from.shape();
  const auto product = [&](std::size_t first, std::size_t last) {
    return element_count(std::span(shape).subspan(first, last - first));
  };
  const Index outer = product(0, axis), n = shape[axis];
  const Index inner = product(axis + 1, axes), rest = product(axes, shape.size());
  std::rotate(shape.begin() + static_cast<std::ptrdiff_t>(axis),
              shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
              shape.begin() + static_cast<std::ptrdiff_t>(axes));
  Array<double> to(shape);
  for (Index o = 0; o < outer; ++o) {
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < inner; ++k) {
        const double* source = from.data() + ((o * n + i) * inner + k) * rest;
        std::copy_n(source, rest, to.data() + ((o * inner + k) * n + i) * rest);
      }
    }
  }
  return to;
}

// Reads the arrays of one file; knows how many axes they have and which of them is time.
class Reader {
 public:
  Reader(const RunFile& file, const ImportOptions& options) : file_(file), options_(options) {
    if (options.outputs.empty()) {
      const auto names = file.names();
      require(names.size() == 1, "has {} arrays ({}), so the outputs must be named", names.size(),
              fmt::join(names, ", "));
      outputs_ = {{names.front(), ""}};
    } else {
      outputs_ = options.outputs;
    }
  }

  ImportedRun read() {
    ImportedRun run;
    first_ = read_array(file_, outputs_.front().name);
    axes_ = options_.axes.empty() ? first_.rank() : options_.axes.size();
    require(axes_ >= 1 && !first_.empty(),
            "array '{}' has shape {}, expected at least one axis and one point", outputs_.front().name,
            to_string(first_.shape()));
    for (std::size_t i = 0; i + 1 < options_.axes.size(); ++i) {
      if (options_.axes[i].name == "t") time_ = i;
    }
    run.outputs = read_channels(outputs_, run.output_channels, false);
    run.inputs = read_channels(options_.inputs, run.input_channels, true);
    run.shape = shape_;
    run.grid = read_grid();
    for (const auto& [name, array] : options_.constraints) run.constraints[name] = read_constraint(array);
    return run;
  }

 private:
  // All arrays with their channels side by side.
  std::vector<float> read_channels(const std::vector<Channel>& sources, std::vector<Channel>& channels,
                                   bool inputs) {
    std::vector<Array<double>> arrays;
    for (const Channel& source : sources) {
      arrays.push_back(read_field(source.name, inputs));
      const Index count = arrays.back().rank() > axes_ ? arrays.back().shape().back() : 1;
      for (Index i = 0; i < count; ++i)
        channels.push_back({count == 1 ? source.name : fmt::format("{} {}", source.name, i), source.unit});
    }
    std::vector<float> values;
    const Index points = element_count(shape_);
    values.reserve(static_cast<std::size_t>(points) * channels.size());
    for (Index point = 0; point < points; ++point) {
      for (const Array<double>& array : arrays) {
        const Index count = array.size() / points;
        for (Index i = 0; i < count; ++i) values.push_back(static_cast<float>(array[point * count + i]));
      }
    }
    return values;
  }

  // An input may lack axes.
  Array<double> read_field(const std::string& name, bool input) {
    Array<double> array = name == outputs_.front().name ? first_ : read_array(file_, name);
    if (input && (array.rank() < axes_ || options_.input_axes.contains(name)))
      array = along_all_axes(array, name);
    require(array.rank() == axes_ || (array.rank() == axes_ + 1 && !options_.axes.empty()),
            "array '{}' has shape {}, expected {} axes{}", name, to_string(array.shape()), axes_,
            options_.axes.empty() ? "" : ", and one for channels if there are several");
    for (Index i = 0; i < array.size(); ++i) {
      require(std::isfinite(static_cast<float>(array[i])), "array '{}' is not finite: value {} at element {}",
              name, array[i], i);
    }
    if (time_) array = with_axis_last(array, *time_, axes_);
    const Shape shape(array.shape().begin(), array.shape().begin() + static_cast<std::ptrdiff_t>(axes_));
    if (shape_.empty()) shape_ = shape;
    require(shape == shape_ && !array.empty(), "array '{}' has shape {}, expected {} as '{}' has", name,
            to_string(shape), to_string(shape_), outputs_.front().name);
    return array;
  }

  [[nodiscard]] Shape extents() const {
    return {first_.shape().begin(), first_.shape().begin() + static_cast<std::ptrdiff_t>(axes_)};
  }

  // The axes, in the order of the file, that an array with some of them has: as said, or by its extents.
  std::vector<std::size_t> axes_of(const Array<double>& array, const std::string& name) const {
    if (const auto said = options_.input_axes.find(name); said != options_.input_axes.end())
      return named_axes(said->second);
    std::vector<std::vector<std::size_t>> possible;
    const Shape all = extents();
    for (unsigned set = 0; set < (1U << axes_); ++set) {
      std::vector<std::size_t> axes;
      Shape shape;
      for (std::size_t j = 0; j < axes_; ++j) {
        if (((set >> j) & 1U) == 0) continue;
        axes.push_back(j);
        shape.push_back(all[j]);
      }
      if (shape == array.shape()) possible.push_back(axes);
    }
    require(!possible.empty(), "array '{}' has shape {}, expected {} as '{}' has, or some of these extents",
            name, to_string(array.shape()), to_string(all), outputs_.front().name);
    require(possible.size() == 1,
            "array '{}' of shape {} can lie along several axes of '{}', {}: say along which, as in {}[x]",
            name, to_string(array.shape()), outputs_.front().name, to_string(all), name);
    return possible.front();
  }

  std::vector<std::size_t> named_axes(const std::vector<std::string>& names) const {
    std::vector<std::string> all;
    for (const ImportAxis& axis : options_.axes) all.push_back(axis.name);
    std::vector<std::size_t> axes;
    for (const std::string& name : names) {
      const auto found = std::find(all.begin(), all.end(), name);
      if (found == all.end()) fail_unknown_name("axis", name, all);
      axes.push_back(static_cast<std::size_t>(found - all.begin()));
      require(axes.size() < 2 || axes[axes.size() - 2] < axes.back(),
              "axes {}: expected them in the order of --axes", fmt::join(names, "+"));
    }
    return axes;
  }

  // The same along the axes it lacks.
  Array<double> along_all_axes(const Array<double>& array, const std::string& name) const {
    require(axes_ <= 8, "array '{}': {} axes, expected at most 8", name, axes_);
    const std::vector<std::size_t> own = axes_of(array, name);
    const Shape all = extents();
    Shape expected;
    std::vector<Index> stride(axes_, 0);
    for (const std::size_t j : own) expected.push_back(all[j]);
    require(array.shape() == expected, "array '{}' has shape {}, expected {}", name, to_string(array.shape()),
            to_string(expected));
    Index size = 1;
    for (std::size_t k = own.size(); k-- > 0;) {
      stride[own[k]] = size;
      size *= all[own[k]];
    }
    Array<double> field(all);
    for (Index i = 0; i < field.size(); ++i) {
      Index rest = i, from = 0;
      for (std::size_t j = axes_; j-- > 0; rest /= all[j]) from += rest % all[j] * stride[j];
      field[i] = array[from];
    }
    return field;
  }

  Grid read_grid() const {
    std::vector<ImportAxis> axes = options_.axes;
    axes.resize(axes_);
    if (time_)
      std::rotate(axes.begin() + static_cast<std::ptrdiff_t>(*time_),
                  axes.begin() + static_cast<std::ptrdiff_t>(*time_) + 1, axes.end());
    Grid grid;
    for (std::size_t i = 0; i < axes_; ++i) {
      const ImportAxis& axis = axes[i];
      grid.push_back({axis.name, axis.unit, coordinates(axis, shape_[i]), axis.kind});
    }
    return grid;
  }

  std::vector<double> coordinates(const ImportAxis& axis, Index points) const {
    if (axis.range) return evenly_spaced(axis.kind, axis.range->low, axis.range->high, points);
    if (axis.array.empty() && (axis.name.empty() || !file_.has(axis.name))) return {};
    const std::string& name = axis.array.empty() ? axis.name : axis.array;
    const Array<double> values = read_array(file_, name);
    require(values.rank() == 1 && values.size() == points,
            "array '{}' has shape {}, expected the {} coordinates of axis '{}'", name,
            to_string(values.shape()), points, axis.name);
    return {values.begin(), values.end()};
  }

  Array<double> read_constraint(const std::string& name) const {
    Array<double> values = read_array(file_, name);
    require(!values.empty() &&
                std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }),
            "array '{}' of shape {} is empty or not finite", name, to_string(values.shape()));
    return values;
  }

  const RunFile& file_;
  const ImportOptions& options_;
  std::vector<Channel> outputs_;
  Array<double> first_;  // the first output, which says how many axes there are
  std::size_t axes_ = 0;
  std::optional<std::size_t> time_;  // the axis "t" when it is not the last
  Shape shape_;
};

}  // namespace

ImportedRun read_run(const RunFile& file, const ImportOptions& options) {
  return Reader(file, options).read();
}

}  // namespace nouq
