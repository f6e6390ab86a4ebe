#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include <nouq/data.h>

#include "core/error.h"
#include "data/laws.h"

namespace nouq {
namespace {

// Where in a message the fault lies: the file (or other origin) and the array in it.
struct Place {
  const std::string& source;
  std::string array;
};

template <class T>
void require_finite(const Array<T>& values, const Place& place) {
  const auto bad = std::find_if_not(values.begin(), values.end(), [](T x) { return std::isfinite(x); });
  if (bad == values.end()) return;
  const Index position = bad - values.begin();
  const Index stride = values.size() / values.extent(0);
  fail("{}: array '{}' is not finite in sample {}: value {} at element {} of that sample", place.source,
       place.array, position / stride, *bad, position % stride);
}

void validate_axis(const Axis& axis, std::size_t number, const std::string& source) {
  const auto& points = axis.coordinates;
  const std::string label = axis.name.empty() ? fmt::format("{}", number) : fmt::format("'{}'", axis.name);
  require(!points.empty(), "{}: axis {} has no coordinates", source, label);
  for (std::size_t i = 0; i < points.size(); ++i) {
    require(std::isfinite(points[i]), "{}: coordinate {} of axis {} is {}, not finite", source, i, label,
            points[i]);
    require(i == 0 || points[i - 1] < points[i],
            "{}: coordinates of axis {} must increase strictly, but {} is followed by {} at index {}", source,
            label, points[i == 0 ? 0 : i - 1], points[i], i);
  }
}

void validate_field(const Array<float>& field, const DataSet& data, const std::vector<Channel>& channels,
                    const Place& place) {
  require(field.rank() >= 1 && field.extent(0) >= 1, "{}: array '{}' of shape {} holds no sample",
          place.source, place.array, to_string(field.shape()));
  require(!channels.empty(), "{}: array '{}' needs at least one channel", place.source, place.array);
  Shape expected = {data.size()};
  for (const Axis& axis : data.grid) expected.push_back(axis.size());
  expected.push_back(std::ssize(channels));
  require(field.shape() == expected,
          "{}: array '{}' has shape {}, expected {} (samples, {} axes of the grid, {} channels)",
          place.source, place.array, to_string(field.shape()), to_string(expected), data.grid.size(),
          channels.size());
  require_finite(field, place);
}

void validate_parameters(const DataSet& data, const std::string& source) {
  const auto columns = std::ssize(data.parameter_names);
  if (columns == 0 && data.parameters.empty()) return;
  const Shape expected = {data.size(), columns};
  require(data.parameters.shape() == expected,
          "{}: array 'parameters' has shape {}, expected {} (samples, named parameters)", source,
          to_string(data.parameters.shape()), to_string(expected));
  require_finite(data.parameters, {source, "parameters"});
}

void validate_constraint(const std::string& name, const Array<double>& values, Index samples,
                         const std::string& source) {
  require(values.rank() >= 1 && values.extent(0) == samples && !values.empty(),
          "{}: constraint values '{}' have shape {}, expected {} samples first and at least one value each",
          source, name, to_string(values.shape()), samples);
  require_finite(values, {source, name});
}

void validate_values_of(const std::string& name, const Law& law, const DataSet& data,
                        const std::string& source) {
  const auto values = data.constraint_values.find(name);
  require(values != data.constraint_values.end(), "{}: law '{}' has no constraint values of that name",
          source, name);
  const Index places = places_of(law, data.grid);
  require(values->second.size() == data.size() * places,
          "{}: law '{}': its values have shape {}, expected {} for each of {} samples", source, name,
          to_string(values->second.shape()), places, data.size());
}

template <class T>
Array<T> select_rows(const Array<T>& from, const std::vector<Index>& samples) {
  if (from.rank() == 0) return {};
  Shape shape = from.shape();
  shape[0] = std::ssize(samples);
  Array<T> result(shape);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const ArrayView<const T> row = from.row(samples[i]);
    std::copy(row.begin(), row.end(), result.row(i).begin());
  }
  return result;
}

// The others move up; `samples` increase.
template <class T>
void remove_rows(Array<T>& array, const std::vector<Index>& samples) {
  if (array.rank() == 0) return;
  Index kept = samples.front();
  auto leaving = samples.begin();
  for (Index i = kept; i < array.extent(0); ++i) {
    if (leaving != samples.end() && *leaving == i) {
      ++leaving;
    } else {
      const ArrayView<T> row = array.row(i);
      std::copy(row.begin(), row.end(), array.row(kept++).begin());
    }
  }
  array.keep_rows(kept);
}

void require_existing(const DataSet& data, const std::vector<Index>& samples, const char* who) {
  require(!samples.empty(), "{}: no sample asked for, expected at least one index", who);
  for (const Index sample : samples) {
    require(sample >= 0 && sample < data.size(), "{}: sample {} does not exist, there are {}", who, sample,
            data.size());
  }
}

// The same data set with other samples: `rows_of` gives those of each array, one array after another.
template <class Data, class RowsOf>
DataSet part_of(Data& data, RowsOf&& rows_of) {
  DataSet part;
  part.inputs = rows_of(data.inputs);
  part.outputs = rows_of(data.outputs);
  part.grid = data.grid;
  part.input_channels = data.input_channels;
  part.output_channels = data.output_channels;
  part.parameter_names = data.parameter_names;
  part.parameters = rows_of(data.parameters);
  for (auto& [name, values] : data.constraint_values) part.constraint_values[name] = rows_of(values);
  part.laws = data.laws;
  part.bounds = data.bounds;
  part.provenance = data.provenance;
  return part;
}

}  // namespace

void validate(const Grid& grid, const std::string& source) {
  require(!grid.empty(), "{}: the grid has no axis", source);
  for (std::size_t i = 0; i < grid.size(); ++i) validate_axis(grid[i], i, source);
}

void validate(const DataSet& data, const std::string& source) {
  validate(data.grid, source);
  validate_field(data.inputs, data, data.input_channels, {source, "inputs"});
  validate_field(data.outputs, data, data.output_channels, {source, "outputs"});
  validate_parameters(data, source);
  for (const auto& [name, values] : data.constraint_values) {
    validate_constraint(name, values, data.size(), source);
  }
  const auto channels = std::ssize(data.output_channels);
  validate(data.laws, data.grid, channels, source);
  for (const auto& [name, law] : data.laws) validate_values_of(name, law, data, source);
  validate(data.bounds, channels, source);
}

Laws laws_of(const DataSet& data) {
  const auto mass = data.constraint_values.find(mass_name);
  return mass == data.constraint_values.end()
             ? data.laws
             : with_mass_law(data.laws, data.grid, mass->second, data.size());
}

void require_samples(const DataSet& data, Index needed, const std::string& purpose,
                     const std::string& source) {
  require(data.size() >= needed, "{}: {} needs at least {} samples, this data set has {}", source, purpose,
          needed, data.size());
}

std::optional<Index> zero_field(const DataSet& data) {
  const Index size = data.outputs.size() / std::max<Index>(1, data.size());
  for (Index s = 0; s < data.size(); ++s) {
    const auto* field = data.outputs.data() + s * size;
    if (std::all_of(field, field + size, [](float u) { return u == 0.0F; })) return s;
  }
  return std::nullopt;
}

void require_relative_errors(const DataSet& data) {
  const std::optional<Index> sample = zero_field(data);
  require(!sample,
          "the output of sample {} is zero everywhere, so its relative error is not defined; leave that "
          "sample out",
          sample.value_or(0));
}

Array<double> truth_of(const DataSet& data) {
  return {data.outputs.shape(), data.outputs.begin(), data.outputs.end()};
}

DataSet select(const DataSet& data, const std::vector<Index>& samples) {
  require_existing(data, samples, "select");
  return part_of(data, [&](const auto& array) { return select_rows(array, samples); });
}

DataSet take_out(DataSet& data, const std::vector<Index>& samples) {
  require_existing(data, samples, "take_out");
  require(std::adjacent_find(samples.begin(), samples.end(), std::greater_equal<>()) == samples.end(),
          "take_out: the samples must increase, each may leave once");
  require(std::ssize(samples) < data.size(), "take_out: all {} samples, expected to keep one", data.size());
  return part_of(data, [&](auto& array) {
    auto taken = select_rows(array, samples);
    remove_rows(array, samples);
    return taken;
  });
}

}  // namespace nouq
