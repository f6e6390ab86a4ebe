#include <algorithm>
#include <cmath>

#include <nouq/project.h>

#include "api/shared_model.h"
#include "api/strided_copy.h"
#include "conserve/bounded_projection.h"
#include "conserve/constraint_kinds.h"
#include "conserve/projection.h"

namespace nouq {

struct ConstraintData {
  LinearConstraints constraints;
  FieldLayout layout;  // without axes for sparse rows, which know no grid
};

namespace {

// Right-hand sides as [samples, ...]: those for all samples get the extent they lack.
Array<double> right_hand_sides(const Input& values, std::size_t rank) {
  Array<double> array = to_array("values", values);
  Shape shape = array.shape();
  if (shape.size() + 1 == rank) shape.insert(shape.begin(), 1);
  require(shape.size() == rank, "values of shape {}: expected {} extents, or one less for all samples",
          to_string(array.shape()), rank);
  return {shape, array.begin(), array.end()};
}

// How many fields of `points` values: those along the first extent, or one.
Index count_of(const char* name, const Array<double>& fields, Index points) {
  if (fields.size() == points && points > 0) return 1;
  require(fields.rank() > 0 && !fields.empty() && fields.extent(0) * points == fields.size(),
          "{} of shape {}: expected fields of {} values, the samples as the first extent", name,
          to_string(fields.shape()), points);
  return fields.extent(0);
}

// [samples, members, ...], or [members, ...] of one sample.
Index members_of(const Array<double>& samples, Index count, Index points) {
  const Index members = samples.size() / (count * points);
  const bool of_one = count == 1 && samples.rank() > 0 && samples.extent(0) == members;
  const bool of_all = samples.rank() > 1 && samples.extent(0) == count && samples.extent(1) == members;
  require(members > 0 && members * count * points == samples.size() && (of_one || of_all),
          "samples of shape {}: expected [samples, members, ...] of {} samples with {} values each",
          to_string(samples.shape()), count, points);
  return members;
}

ArrayView<double> reshaped(Array<double>& array, Shape shape) { return {array.data(), std::move(shape)}; }

void check_output(const char* name, const Output& output, const Input& input) {
  if (output.data == nullptr) return;
  require_writable(name, output);
  const Shape given = shape_of(output.layout), expected = shape_of(input.layout);
  require(input.data != nullptr && given == expected, "{} of shape {}: expected that of its input, {}", name,
          to_string(given), to_string(expected));
}

void write(const Array<double>& values, const Output& output) {
  if (output.data == nullptr) return;
  scatter(values.data(), output, 0, output.layout.rank == 0 ? 1 : output.layout.extent[0]);
}

// The prediction in memory of our own, where it is projected in place.
struct Fields {
  Array<double> mean, variance, samples;
};

Fields read(const ProjectInputs& prediction) {
  Fields fields{to_array("mean", prediction.mean), to_variance(prediction.deviation), {}};
  if (prediction.samples.data != nullptr) fields.samples = to_array("samples", prediction.samples);
  return fields;
}

// Sparse rows see a field as a line of values.
FieldLayout layout_of(const ConstraintData& data) {
  if (!data.layout.grid.empty()) return data.layout;
  const Index points = data.constraints.points;
  return {{{"point", "", linspace(0, static_cast<double>(points - 1), points)}}, 1};
}

bool bounded(const ProjectOptions& options) {
  return !(std::isinf(options.lower) && std::isinf(options.upper));
}

void project_within_bounds(const ConstraintData& data, const ProjectOptions& options,
                           const PredictionView& from, const ProjectedView& to) {
  require(options.diagonal_share == 1, "diagonal share {}: bounds need 1, the diagonal covariance",
          options.diagonal_share);
  const Shape shape = {1, data.constraints.points};
  const Inequalities bounds{Array<double>(shape, options.lower), Array<double>(shape, options.upper), {}};
  BoundedOptions how;
  how.threads = options.threads;
  BoundedProjector(data.constraints, bounds, layout_of(data), how).project(from, to);
}

}  // namespace

Constraints Constraints::integral(const Model& model, const std::string& axis, const Input& values,
                                  const IntegralOptions& options) {
  const Surrogate& surrogate = model.shared().surrogate();
  auto data = std::make_shared<ConstraintData>();
  data->layout = {surrogate.grid, surrogate.channels()};
  data->constraints = integral_constraints(data->layout, {axis}, quadrature_from_name(options.rule),
                                           right_hand_sides(values, surrogate.grid.size()), options.channel);
  data->constraints.set_slack(options.slack);
  return Constraints(std::move(data));
}

Constraints Constraints::sparse(std::int64_t points, std::span<const std::int64_t> row,
                                std::span<const std::int64_t> point, std::span<const double> weight,
                                const Input& values, double slack) {
  require(points >= 1, "fields of {} values: expected at least 1", points);
  auto data = std::make_shared<ConstraintData>();
  data->constraints = sparse_constraints(points, row, point, weight, right_hand_sides(values, 2));
  data->constraints.set_slack(slack);
  return Constraints(std::move(data));
}

std::int64_t Constraints::rows() const { return data_->constraints.rows(); }

void project(const Constraints& constraints, const ProjectInputs& prediction, const ProjectOutputs& projected,
             const ProjectOptions& options) {
  const LinearConstraints& rows = constraints.data().constraints;
  const Index points = rows.points;
  Fields fields = read(prediction);
  const Index count = count_of("mean", fields.mean, points);
  require(fields.variance.shape() == fields.mean.shape(), "deviation of shape {}: expected that of mean, {}",
          to_string(fields.variance.shape()), to_string(fields.mean.shape()));
  check_output("projected mean", projected.mean, prediction.mean);
  check_output("projected deviation", projected.deviation, prediction.deviation);
  check_output("projected samples", projected.samples, prediction.samples);
  const auto mean = reshaped(fields.mean, {count, points});
  const auto variance = reshaped(fields.variance, {count, points});
  ArrayView<double> samples;
  ArrayView<const double> given_samples;
  if (prediction.samples.data != nullptr) {
    samples = reshaped(fields.samples, {count, members_of(fields.samples, count, points), points});
    given_samples = samples;
  }
  const PredictionView from{mean, variance, given_samples};
  const ProjectedView to{mean, variance, samples};
  if (bounded(options)) {
    project_within_bounds(constraints.data(), options, from, to);
  } else {
    const Covariance covariance{options.diagonal_share, options.independent_axis};
    Projector(rows, layout_of(constraints.data()), {.covariance = covariance, .threads = options.threads})
        .project(from, to);
  }
  for (double& value : fields.variance) value = std::sqrt(value);
  write(fields.mean, projected.mean);
  write(fields.variance, projected.deviation);
  write(fields.samples, projected.samples);
}

}  // namespace nouq
