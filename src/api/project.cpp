#include <algorithm>
#include <cmath>

#include <nouq/project.h>

#include "api/constraint_data.h"
#include "api/strided_copy.h"
#include "conserve/quadrature.h"
#include "core/error.h"
#include "physics/projection_choice.h"

namespace nouq {
namespace {

// How many fields of `points` values: those along the first extent, or one.
Index count_of(const char* name, const Array<double>& fields, Index points) {
  if (fields.size() == points && points > 0) return 1;
  require(fields.rank() > 0 && !fields.empty() && fields.size() % fields.extent(0) == 0 &&
              fields.size() / fields.extent(0) == points,
          "{} of shape {}: expected fields of {} values, the samples as the first extent", name,
          to_string(fields.shape()), points);
  return fields.extent(0);
}

// [samples, members, ...], or [members, ...] of one sample.
Index members_of(const Array<double>& samples, Index count, Index points) {
  const Index members = samples.size() / count / points;  // count fields of points are in memory
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

void check_outputs(const ProjectInputs& prediction, const ProjectOutputs& projected) {
  const Input& uncertainty = prediction.variance.data != nullptr ? prediction.variance : prediction.deviation;
  check_output("projected mean", projected.mean, prediction.mean);
  check_output("projected deviation", projected.deviation, uncertainty);
  check_output("projected variance", projected.variance, uncertainty);
  check_output("projected samples", projected.samples, prediction.samples);
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
  require(prediction.variance.data == nullptr || prediction.deviation.data == nullptr,
          "a deviation and a variance are given: expected one of them");
  const bool squared = prediction.variance.data != nullptr;
  Fields fields{to_array("mean", prediction.mean),
                squared ? to_array("variance", prediction.variance) : to_variance(prediction.deviation),
                {}};
  if (prediction.samples.data != nullptr) fields.samples = to_array("samples", prediction.samples);
  return fields;
}

bool has_scalar_bounds(const ProjectOptions& options) {
  return !(std::isinf(options.lower) && std::isinf(options.upper));
}

// The constraints' own bounds, tightened by those of the options.
Inequalities bounds_of(const ConstraintData& data, const ProjectOptions& options) {
  Inequalities bounds = data.inequalities;
  if (has_scalar_bounds(options)) {
    const Shape shape = {1, data.constraints.points};
    tighten(bounds, Array<double>(shape, options.lower), Array<double>(shape, options.upper));
  }
  const auto given = [&](const char* name, const Input& input) {
    return input.data == nullptr ? Array<double>{} : as_bounds(to_array(name, input), data.layout, name);
  };
  tighten(bounds, given("lower", options.lower_bounds), given("upper", options.upper_bounds));
  return bounds;
}

// What a name stands for; only the bounded one keeps the rows' own noise.
ProjectionSettings preset_of(const ProjectOptions& options, const ConstraintData& data) {
  const ProjectionKind kind = projection_from_name(options.preset);
  const bool alone = options.diagonal_share == 1 && options.sigma_power == 2 && options.smooth_axis.empty() &&
                     !options.fixed_variance && options.variance_update == "automatic";
  require(alone,
          "preset '{}' stands for a covariance and a way with the variance: leave out those of the options",
          options.preset);
  ProjectionSettings settings = settings_of({kind, options.noise_variance, options.threads});
  require(kind <= ProjectionKind::bounded,
          "preset '{}': expected none, diagonal, low-rank or bounded; the others are baselines of 'nouq "
          "evaluate'",
          options.preset);
  if (kind != ProjectionKind::bounded) return settings;
  settings.noise_variance = options.noise_variance;
  settings.sigma_power = data.sigma_power;
  return settings;
}

ProjectionSettings settings_of(const ProjectOptions& options, const ConstraintData& data) {
  if (!options.preset.empty()) return preset_of(options, data);
  ProjectionSettings settings;
  settings.diagonal_share = options.diagonal_share;
  if (options.independent_axis != "auto") settings.independent_axis = options.independent_axis;
  settings.sigma_power = options.sigma_power;
  if (!options.smooth_axis.empty()) settings.smooth = {options.smooth_axis, options.smooth_correlation};
  settings.bounded = options.bounded;
  settings.fixed_variance = options.fixed_variance;
  settings.variance_update = variance_update_from_name(options.variance_update);
  settings.noise_variance = options.noise_variance;
  settings.threads = options.threads;
  return settings;
}

// The sizes belong to the model's own noise variances, and to its own bounds.
bool is_calibrated(const ProjectOptions& options, const ConstraintData& data) {
  return options.preset == name(ProjectionKind::bounded) && !options.noise_variance &&
         !has_scalar_bounds(options) && options.lower_bounds.data == nullptr &&
         options.upper_bounds.data == nullptr && !data.after.empty();
}

}  // namespace

void project(const Constraints& constraints, const ProjectInputs& prediction, const ProjectOutputs& projected,
             const ProjectOptions& options, ProjectReport* report) {
  const ConstraintData& data = constraints.data();
  const Index points = data.constraints.points;
  Fields fields = read(prediction);
  const Index count = count_of("mean", fields.mean, points);
  require(fields.variance.shape() == fields.mean.shape(), "{} of shape {}: expected that of mean, {}",
          prediction.variance.data != nullptr ? "variance" : "deviation", to_string(fields.variance.shape()),
          to_string(fields.mean.shape()));
  check_outputs(prediction, projected);
  if (options.preset != name(ProjectionKind::none)) {
    ArrayView<double> samples;
    if (!fields.samples.empty())
      samples = reshaped(fields.samples, {count, members_of(fields.samples, count, points), points});
    const auto mean = reshaped(fields.mean, {count, points});
    const auto variance = reshaped(fields.variance, {count, points});
    const ProjectionSettings settings = settings_of(options, data);
    const bool unbounded = !options.preset.empty() && !settings.bounded;
    const Inequalities bounds = unbounded ? Inequalities{} : bounds_of(data, options);
    require(data.constraints.rows() > 0 || !bounds.empty(), "there is nothing to obey: no rows{}",
            unbounded ? fmt::format(", and preset '{}' has no use for bounds", options.preset)
                      : " and no bounds");
    ProjectionReport happened;
    project(settings, data.constraints, bounds, data.layout, {mean, variance, samples},
            {mean, variance, samples}, report == nullptr ? nullptr : &happened);
    if (is_calibrated(options, data))
      size_variance(data.after, {fields.mean.size(), fields.mean.data(), fields.variance.data()});
    if (report != nullptr)
      *report = {std::move(happened.residual_before), std::move(happened.residual_after),
                 std::move(happened.variance_scale)};
  }
  write(fields.mean, projected.mean);
  write(fields.variance, projected.variance);
  for (double& value : fields.variance) value = std::sqrt(value);
  write(fields.variance, projected.deviation);
  write(fields.samples, projected.samples);
}

std::vector<std::string> variance_updates() { return variance_update_names(); }

std::vector<double> quadrature_weights(const Axis& axis, const std::string& rule) {
  return quadrature_weights(quadrature_from_name(rule), axis);
}

}  // namespace nouq
