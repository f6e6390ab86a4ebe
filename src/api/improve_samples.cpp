#include "api/improve_samples.h"

#include <algorithm>

#include "core/error.h"

namespace nouq {
namespace {

// Behind each other; what the first lacks, the others need not have.
template <class T>
Array<T> appended(const Array<T>& first, const std::vector<const Array<T>*>& others) {
  if (first.empty()) return first;
  Shape shape = first.shape();
  for (const Array<T>* one : others) shape.front() += one->extent(0);
  Array<T> all(shape);
  auto end = std::copy(first.begin(), first.end(), all.begin());
  for (const Array<T>* one : others) end = std::copy(one->begin(), one->end(), end);
  return all;
}

template <class T, class Member>
std::vector<const Array<T>*> parts(const std::vector<DataSet>& sets, Member&& of) {
  std::vector<const Array<T>*> list;
  for (const DataSet& one : sets) list.push_back(&of(one));
  return list;
}

Shape sample_shape(const DataSet& like) {
  Shape shape = shape_of(like.grid);
  shape.push_back(std::ssize(like.output_channels));
  return shape;
}

}  // namespace

DataSet sample_of(const DataSet& like, const DataSet& question, const SolverAnswer& answer) {
  Shape shape = sample_shape(like), given = answer.outputs.shape();
  if (given.size() + 1 == shape.size() && shape.back() == 1) given.push_back(1);
  require(given == shape, "its outputs have shape {}, expected {}", to_string(answer.outputs.shape()),
          to_string(shape));
  DataSet sample;
  sample.grid = like.grid;
  sample.input_channels = like.input_channels;
  sample.output_channels = like.output_channels;
  sample.parameter_names = like.parameter_names;
  sample.laws = like.laws;
  sample.bounds = like.bounds;
  sample.inputs = question.inputs;
  if (!like.parameters.empty()) sample.parameters = question.parameters;
  shape.insert(shape.begin(), 1);
  sample.outputs = Array<float>(shape);
  std::transform(answer.outputs.begin(), answer.outputs.end(), sample.outputs.begin(),
                 [](double value) { return static_cast<float>(value); });
  for (const auto& [name, values] : like.constraint_values) {
    const auto found = answer.constraint_values.find(name);
    require(found != answer.constraint_values.end(),
            "it has no values of the law '{}', which the data have: expected an array '{}'", name, name);
    Shape places = values.shape();
    places.front() = 1;
    require(found->second.size() == element_count(places), "its values of '{}' have shape {}, expected {}",
            name, to_string(found->second.shape()), to_string(Shape(places.begin() + 1, places.end())));
    Array<double> row(places);
    std::copy(found->second.begin(), found->second.end(), row.begin());
    sample.constraint_values[name] = std::move(row);
  }
  validate(sample, "its answer");
  require(!zero_field(sample), "its outputs are zero everywhere: no relative error is defined for them");
  return sample;
}

DataSet joined(const DataSet& first, const std::vector<Index>& of_first, const std::vector<DataSet>& others) {
  DataSet all = select(first, of_first);
  all.inputs = appended(all.inputs, parts<float>(
                                        others, [](const DataSet& d) -> auto& { return d.inputs; }));
  all.outputs = appended(all.outputs, parts<float>(
                                          others, [](const DataSet& d) -> auto& { return d.outputs; }));
  all.parameters =
      appended(all.parameters, parts<double>(
                                   others, [](const DataSet& d) -> auto& { return d.parameters; }));
  for (auto& entry : all.constraint_values) {
    const std::string& name = entry.first;
    entry.second = appended(
        entry.second, parts<double>(
                          others, [&](const DataSet& d) -> auto& { return d.constraint_values.at(name); }));
  }
  return all;
}

}  // namespace nouq
