#include <algorithm>
#include <sstream>

#include <nouq/constraint.h>

#include "api/constraint_data.h"
#include "api/shared_model.h"
#include "api/strided_copy.h"
#include "conserve/constraint_file.h"
#include "conserve/constraint_kinds.h"
#include "core/error.h"
#include "data/laws.h"
#include "data/recorded_problem.h"
#include "physics/physics.h"
#include "physics/projection_calibration.h"

namespace nouq {
namespace {

// Right-hand sides as [samples, ...]: those for all samples get the extent they lack.
Array<double> as_right_hand_sides(const Input& values, std::size_t rank) {
  Array<double> array = to_array("values", values);
  Shape shape = array.shape();
  if (shape.size() + 1 == rank) shape.insert(shape.begin(), 1);
  require(shape.size() == rank, "values of shape {}: expected {} extents, or one less for all samples",
          to_string(array.shape()), rank);
  return {shape, array.begin(), array.end()};
}

std::map<std::string, Array<double>> arrays_of(const NamedInputs& inputs) {
  std::map<std::string, Array<double>> arrays;
  for (const auto& [name, input] : inputs) arrays.emplace(name, to_array(name.c_str(), input));
  return arrays;
}

Constraints made(ConstraintData data) {
  return Constraints(std::make_shared<const ConstraintData>(std::move(data)));
}

Constraints integral_on(FieldLayout layout, const std::vector<std::string>& axes, const Input& values,
                        const IntegralOptions& options) {
  ConstraintData data;
  data.layout = std::move(layout);
  const std::size_t kept = data.layout.grid.size() - std::min(axes.size(), data.layout.grid.size());
  data.constraints = integral_constraints(data.layout, axes, quadrature_from_name(options.rule),
                                          as_right_hand_sides(values, kept + 1), options.channel);
  data.constraints.set_noise_variance(options.noise_variance);
  return made(std::move(data));
}

// Values of a law for all samples get the extent they lack.
Array<double> values_of_law(const Law& law, const Grid& grid, Array<double> values) {
  Shape places;
  for (const Axis& axis : grid) {
    if (std::find(law.axes.begin(), law.axes.end(), axis.name) == law.axes.end())
      places.push_back(axis.size());
  }
  if (values.shape() != places) return values;
  places.insert(places.begin(), 1);
  return {places, values.begin(), values.end()};
}

const std::string parameter_name = "parameter";

void require_known_names(const NamedInputs& values, const Laws& laws, bool parameter) {
  std::vector<std::string> names;
  for (const auto& [name, law] : laws) names.push_back(name);
  if (parameter) names.push_back(parameter_name);
  for (const auto& [name, input] : values)
    require(std::find(names.begin(), names.end(), name) != names.end(),
            "values '{}': the model knows no law of that name; it knows {}", name,
            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

// How strictly the rows hold: the model's calibration where it is about these rows, else the paper's
// variance.
void set_noise(const Surrogate& surrogate, const Laws& given, LinearConstraints& rows) {
  const Array<double> noise = law_noise_of(surrogate);
  rows.set_noise_variance(*settings_of({ProjectionKind::diagonal, std::nullopt, 1}).noise_variance);
  Index at = 0, row = 0;
  for (const auto& [name, law] : laws_of(surrogate)) {
    const Index places = places_of(law, surrogate.grid);
    if (given.contains(name)) {
      for (Index i = 0; i < places && at + i < noise.size(); ++i)
        rows.noise_variance.at(row + i) = noise[at + i];
      row += places;
    }
    at += places;
  }
}

}  // namespace

std::vector<ConstraintInfo> constraint_list() {
  std::vector<ConstraintInfo> list;
  for (const ConstraintKind& kind : all_constraint_kinds()) {
    ConstraintInfo& info = list.emplace_back();
    info.name = kind.name;
    info.summary = kind.summary;
    std::istringstream words(kind.settings);
    for (std::string word; words >> word;) info.settings.push_back(word);
  }
  return list;
}

FieldLayout layout_of(const FieldGrid& grid) {
  FieldLayout layout{{}, grid.channels};
  for (const AxisInfo& axis : grid.axes)
    layout.grid.push_back({axis.name, axis.unit, axis.coordinates, axis_kind_from_name(axis.kind)});
  validate(layout.grid, "constraints");
  require(grid.channels >= 1, "constraints on fields of {} channels: expected at least 1", grid.channels);
  return layout;
}

FieldGrid grid_of(const FieldLayout& layout) {
  FieldGrid grid{{}, layout.channels};
  for (const Axis& axis : layout.grid)
    grid.axes.push_back({axis.name, axis.unit, axis.coordinates, name(axis.kind)});
  return grid;
}

FieldGrid fields_on(const Grid& grid, std::int64_t channels) { return grid_of({grid, channels}); }

FieldGrid fields_of(const Model& model) {
  const Surrogate& surrogate = model.shared().surrogate();
  return grid_of({surrogate.grid, surrogate.channels()});
}

Constraints Constraints::of(const Model& model, const NamedInputs& values) {
  const Surrogate& surrogate = model.shared().surrogate();
  const auto problem = problem_of(provenance_of(surrogate));
  const Laws laws = laws_of(surrogate);
  require_known_names(values, laws, problem != nullptr);
  KnownPhysics known{{surrogate.grid, surrogate.channels()}, {}, {}, surrogate.bounds, nullptr, {}};
  for (auto& [name, array] : arrays_of(values)) {
    if (name == parameter_name && !laws.contains(name)) {
      known.problem = problem.get();
      known.parameters.assign(array.begin(), array.end());
      continue;
    }
    known.laws.emplace(name, laws.at(name));
    known.values.emplace(name, values_of_law(laws.at(name), surrogate.grid, std::move(array)));
  }
  Physics physics = physics_of(known);
  set_noise(surrogate, known.laws, physics.constraints);
  const bool sized = has_size_after(surrogate, {ProjectionKind::bounded}, physics.constraints.rows());
  return made({std::move(physics.constraints), std::move(physics.bounds), std::move(known.layout),
               law_use_of(surrogate).sigma_power,
               sized ? sizing_after(surrogate, ProjectionKind::bounded) : Sizing{}});
}

Constraints Constraints::from_toml(const FieldGrid& grid, const std::string& text, const NamedInputs& arrays,
                                   double noise_variance) {
  ConstraintContext context{layout_of(grid), arrays_of(arrays), noise_variance};
  ConstraintSet set = parse_constraints(text, "constraints", context);
  return made({std::move(set.equalities), std::move(set.inequalities), std::move(context.layout)});
}

Constraints Constraints::from_toml(const std::string& text, const NamedInputs& arrays,
                                   double noise_variance) {
  GriddedConstraints parsed =
      parse_gridded_constraints(text, "constraints", {{}, arrays_of(arrays), noise_variance});
  return made(
      {std::move(parsed.set.equalities), std::move(parsed.set.inequalities), std::move(parsed.layout)});
}

Constraints Constraints::from_file(const FieldGrid& grid, const std::string& path, const NamedInputs& arrays,
                                   double noise_variance) {
  ConstraintContext context{layout_of(grid), arrays_of(arrays), noise_variance};
  ConstraintSet set = read_constraint_file(path, context);
  return made({std::move(set.equalities), std::move(set.inequalities), std::move(context.layout)});
}

Constraints Constraints::of(const DataSet& data) {
  Physics physics = physics_of(data);
  return made({std::move(physics.constraints),
               std::move(physics.bounds),
               {data.grid, std::ssize(data.output_channels)}});
}

Constraints Constraints::of(const Problem& problem, const Grid& grid, std::span<const double> parameters,
                            bool bounds, double noise_variance) {
  Physics physics = physics_of(problem, grid, {parameters.begin(), parameters.end()}, bounds);
  physics.constraints.set_noise_variance(noise_variance);
  return made({std::move(physics.constraints), std::move(physics.bounds), {grid, 1}});
}

Constraints Constraints::within(const FieldGrid& grid, const std::vector<Bounds>& bounds) {
  const FieldLayout layout = layout_of(grid);
  Physics physics = physics_of({layout, {}, {}, bounds, nullptr, {}});
  return made({std::move(physics.constraints), std::move(physics.bounds), layout});
}

Constraints Constraints::of_kind(const FieldGrid& grid, const std::string& kind,
                                 const std::map<std::string, Setting>& settings, const NamedInputs& arrays,
                                 double noise_variance) {
  ConstraintContext context{layout_of(grid), arrays_of(arrays), noise_variance};
  ConstraintSet set;
  set.equalities.points = context.layout.points();
  add_constraint(Settings(kind, settings), context, set);
  return made({std::move(set.equalities), std::move(set.inequalities), std::move(context.layout)});
}

Constraints Constraints::integral(const Model& model, const std::string& axis, const Input& values,
                                  const IntegralOptions& options) {
  const Surrogate& surrogate = model.shared().surrogate();
  return integral_on({surrogate.grid, surrogate.channels()}, {axis}, values, options);
}

Constraints Constraints::integral(const FieldGrid& grid, const std::vector<std::string>& axes,
                                  const Input& values, const IntegralOptions& options) {
  return integral_on(layout_of(grid), axes, values, options);
}

Constraints Constraints::sparse(std::int64_t points, std::span<const std::int64_t> row,
                                std::span<const std::int64_t> point, std::span<const double> weight,
                                const Input& values, double noise_variance) {
  require(points >= 1, "fields of {} values: expected at least 1", points);
  ConstraintData data;
  data.layout = {{{"point", "", linspace(0, static_cast<double>(points - 1), points)}}, 1};
  data.constraints = sparse_constraints(points, row, point, weight, as_right_hand_sides(values, 2));
  data.constraints.set_noise_variance(noise_variance);
  return made(std::move(data));
}

Constraints Constraints::together(const std::vector<Constraints>& parts) {
  require(!parts.empty(), "no constraints to put together");
  ConstraintData all;
  all.layout = parts.front().data().layout;
  std::vector<LinearConstraints> rows;
  for (const Constraints& part : parts) {
    rows.push_back(part.data().constraints);
    const Inequalities& more = part.data().inequalities;
    tighten(all.inequalities, more.lower, more.upper);
    if (more.monotone) add_monotone(all.inequalities, *more.monotone);
  }
  all.constraints = stack(rows);
  return made(std::move(all));
}

std::int64_t Constraints::rows() const { return data_->constraints.rows(); }

std::int64_t Constraints::samples() const { return data_->constraints.right_hand_sides.extent(0); }

std::vector<std::string> Constraints::names() const { return data_->constraints.names; }

std::vector<double> Constraints::noise_variances() const { return data_->constraints.noise_variance; }

const Grid& Constraints::grid() const { return data_->layout.grid; }

bool Constraints::has_bounds() const { return !data_->inequalities.empty(); }

const LinearConstraints& Constraints::equations() const { return data_->constraints; }

std::vector<double> Constraints::sums(std::span<const double> field) const {
  const LinearConstraints& rows = data_->constraints;
  require(std::ssize(field) == rows.points, "a field of {} values: expected {}", field.size(), rows.points);
  std::vector<double> sums;
  for (Index r = 0; r < rows.rows(); ++r) {
    double sum = 0;
    for (const RowEntry& entry : rows.row(r)) sum += entry.weight * field[entry.point];
    sums.push_back(sum);
  }
  return sums;
}

namespace {

void require_sample(Index sample, Index samples) {
  require(sample >= 0 && (samples == 1 || sample < samples), "sample {}: the constraints have {}", sample,
          samples);
}

std::vector<double> bounds_of(const Array<double>& bounds, Index sample) {
  if (bounds.empty()) return {};
  require_sample(sample, bounds.extent(0));
  const auto row = bounds.row(bounds.extent(0) == 1 ? 0 : sample);
  return {row.begin(), row.end()};
}

}  // namespace

std::vector<double> Constraints::right_hand_sides(std::int64_t sample) const {
  require_sample(sample, data_->constraints.right_hand_sides.extent(0));
  const auto row = data_->constraints.right_hand_side(sample);
  return {row.begin(), row.end()};
}

std::vector<double> Constraints::residuals(std::int64_t sample, std::span<const double> field) const {
  const LinearConstraints& rows = data_->constraints;
  require(std::ssize(field) == rows.points, "a field of {} values: expected {}", field.size(), rows.points);
  require_sample(sample, rows.right_hand_sides.extent(0));
  std::vector<double> residuals(rows.rows());
  evaluate_residuals<double>(rows, sample, field, residuals);
  return residuals;
}

std::vector<double> Constraints::lower(std::int64_t sample) const {
  return bounds_of(data_->inequalities.lower, sample);
}

std::vector<double> Constraints::upper(std::int64_t sample) const {
  return bounds_of(data_->inequalities.upper, sample);
}

std::vector<double> Constraints::noise_of(const Array<float>& fields) const {
  return noise_from_fields(data_->constraints, fields.view());
}

Constraints Constraints::with_noise(const std::vector<double>& variances) const {
  require(std::ssize(variances) == rows(), "{} noise variances: the constraints have {} rows",
          variances.size(), rows());
  ConstraintData changed = *data_;
  changed.constraints.noise_variance = variances;
  changed.after = {};  // was calibrated for the model's own
  return made(std::move(changed));
}

}  // namespace nouq
