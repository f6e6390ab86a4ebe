#include "conserve/linear_constraints.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nouq {

std::span<const RowEntry> LinearConstraints::row(Index r) const {
  const std::size_t begin = row_begin[r];
  const std::size_t end = row_begin[static_cast<std::size_t>(r) + 1];
  return std::span(entries).subspan(begin, end - begin);
}

std::span<const double> LinearConstraints::right_hand_side(Index sample) const {
  const std::size_t width = rows();
  const std::size_t line = right_hand_sides.extent(0) == 1 ? 0 : static_cast<std::size_t>(sample);
  return right_hand_sides.span().subspan(line * width, width);
}

namespace {

// One entry per point, none zero.
void merge_points(std::vector<RowEntry>& row) {
  std::stable_sort(row.begin(), row.end(),
                   [](const RowEntry& a, const RowEntry& b) { return a.point < b.point; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size();) {
    RowEntry sum = row[i++];
    while (i < row.size() && row[i].point == sum.point) sum.weight += row[i++].weight;
    if (sum.weight != 0) row[kept++] = sum;
  }
  row.resize(kept);
}

}  // namespace

void LinearConstraints::add_row(std::string name, std::vector<RowEntry> row, double variance) {
  merge_points(row);
  entries.insert(entries.end(), row.begin(), row.end());
  row_begin.push_back(std::ssize(entries));
  names.push_back(std::move(name));
  noise_variance.push_back(variance);
}

void LinearConstraints::set_right_hand_sides(Array<double> values) {
  require(values.rank() == 2 && values.extent(1) == rows() && values.extent(0) >= 1,
          "right-hand sides of shape {} for {} constraints, expected [samples, {}]",
          to_string(values.shape()), rows(), rows());
  right_hand_sides = std::move(values);
}

void LinearConstraints::set_noise_variance(double variance) {
  std::fill(noise_variance.begin(), noise_variance.end(), variance);
}

namespace {

void validate_row(const LinearConstraints& constraints, Index r) {
  const std::string& name = constraints.names[r];
  for (const RowEntry& entry : constraints.row(r)) {
    require(entry.point >= 0 && entry.point < constraints.points,
            "constraint '{}': point {} is not one of the field's {}", name, entry.point, constraints.points);
    require(std::isfinite(entry.weight), "constraint '{}': weight {} at point {}", name, entry.weight,
            entry.point);
  }
  const double noise_variance = constraints.noise_variance[r];
  require(std::isfinite(noise_variance) && noise_variance >= 0,
          "constraint '{}': noise variance {}, expected a finite number, not below zero", name,
          noise_variance);
}

}  // namespace

void validate(const LinearConstraints& constraints, Index points, Index samples) {
  const Index rows = constraints.rows();
  require(constraints.points == points, "constraints on fields of {} values, but the fields have {}",
          constraints.points, points);
  require(std::ssize(constraints.noise_variance) == rows, "{} noise variances for {} constraints",
          constraints.noise_variance.size(), rows);
  for (Index r = 0; r < rows; ++r) validate_row(constraints, r);
  const Array<double>& values = constraints.right_hand_sides;
  require(values.rank() == 2 && values.extent(1) == rows &&
              (values.extent(0) == 1 || values.extent(0) == samples),
          "right-hand sides of shape {}, expected [{}, {}] or [1, {}]", to_string(values.shape()), samples,
          rows, rows);
  for (Index i = 0; i < values.size(); ++i) {
    require(std::isfinite(values[i]), "constraint '{}': right-hand side {} in sample {}",
            constraints.names[i % rows], values[i], i / rows);
  }
}

namespace {

// Appends row r of another system, but for its right-hand sides.
void append_row(LinearConstraints& to, const LinearConstraints& from, Index r) {
  const auto row = from.row(r);
  to.add_row(from.names[r], {row.begin(), row.end()}, from.noise_variance[r]);
}

void copy_column(const LinearConstraints& from, Index r, Array<double>& values, Index at) {
  for (Index i = 0; i < values.extent(0); ++i) {
    values[i * values.extent(1) + at] = from.right_hand_side(i)[r];
  }
}

}  // namespace

LinearConstraints stack(std::span<const LinearConstraints> parts) {
  LinearConstraints all;
  Index samples = 1;
  for (const LinearConstraints& part : parts) {
    const Index count = part.right_hand_sides.extent(0);
    require(all.rows() == 0 || part.rows() == 0 || part.points == all.points,
            "constraints on fields of {} and of {} values cannot be stacked", all.points, part.points);
    require(count == 1 || samples == 1 || count == samples,
            "constraints for {} and for {} samples cannot be stacked", samples, count);
    samples = std::max(samples, count);
    all.points = std::max(all.points, part.points);
    for (Index r = 0; r < part.rows(); ++r) append_row(all, part, r);
  }
  Array<double> values({samples, all.rows()});
  Index at = 0;
  for (const LinearConstraints& part : parts) {
    for (Index r = 0; r < part.rows(); ++r) copy_column(part, r, values, at++);
  }
  all.set_right_hand_sides(std::move(values));
  return all;
}

LinearConstraints select_rows(const LinearConstraints& constraints, std::span<const Index> rows) {
  LinearConstraints some;
  some.points = constraints.points;
  Array<double> values({constraints.right_hand_sides.extent(0), std::ssize(rows)});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    append_row(some, constraints, rows[i]);
    copy_column(constraints, rows[i], values, static_cast<Index>(i));
  }
  some.set_right_hand_sides(std::move(values));
  return some;
}

template <class Value>
void evaluate_residuals(const LinearConstraints& constraints, Index sample, std::span<const Value> field,
                        std::span<double> residuals) {
  const auto b = constraints.right_hand_side(sample);
  for (Index r = 0; r < constraints.rows(); ++r) {
    double sum = 0;
    for (const RowEntry& entry : constraints.row(r)) {
      sum += entry.weight * static_cast<double>(field[entry.point]);
    }
    residuals[r] = sum - b[r];
  }
}

double size_of_terms(const LinearConstraints& constraints, Index row, Index sample, const double* field) {
  double size = std::abs(constraints.right_hand_side(sample)[row]);
  for (const auto& [point, weight] : constraints.row(row)) size += std::abs(weight * field[point]);
  return size;
}

template <class Value>
std::vector<double> noise_from_fields(const LinearConstraints& constraints, ArrayView<const Value> fields) {
  require(fields.rank() >= 1 && !fields.empty(), "the noise variance needs at least one field, got shape {}",
          to_string(fields.shape()));
  const Index samples = fields.extent(0);
  validate(constraints, fields.size() / samples, samples);
  std::vector<double> noise_variance(constraints.noise_variance.size(), 0.0),
      residuals(noise_variance.size());
  for (Index i = 0; i < samples; ++i) {
    evaluate_residuals<Value>(constraints, i, fields.row(i).span(), residuals);
    for (std::size_t r = 0; r < noise_variance.size(); ++r) {
      noise_variance[r] += residuals[r] * residuals[r] / static_cast<double>(samples);
    }
  }
  return noise_variance;
}

template void evaluate_residuals(const LinearConstraints&, Index, std::span<const float>, std::span<double>);
template void evaluate_residuals(const LinearConstraints&, Index, std::span<const double>, std::span<double>);
template std::vector<double> noise_from_fields(const LinearConstraints&, ArrayView<const float>);
template std::vector<double> noise_from_fields(const LinearConstraints&, ArrayView<const double>);

}  // namespace nouq
