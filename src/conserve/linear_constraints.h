// Linear constraints G u = b + noise on a field: sparse rows, right-hand sides, and how exactly they hold.
//
// Why: integrals, boundary values, known points and balances all are "a weighted sum of field values is a
// given number". Whatever a constraint meant, the projection sees this one form. When: make them with the
// builders (constraint_kinds.h), from a file (constraint_file.h) or from a problem's own law (law.h); `stack`
// puts several together. Contract: a field is flattened in C order, [axes..., channels], to `points` values;
// the rows are the same for all samples, the right-hand sides are one row per sample or one for all.
// `noise_variance` is the variance of the noise: 0 means exactly.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <nouq/array.h>

namespace nouq {

struct RowEntry {
  Index point;
  double weight;
};

struct LinearConstraints {
  Index points = 0;                        // values of one field
  std::vector<Index> row_begin = {0};      // row r is entries[row_begin[r]] .. entries[row_begin[r + 1]]
  std::vector<RowEntry> entries;           // G
  std::vector<std::string> names;          // one per row, for messages: "integral over x at t = 0.5"
  std::vector<double> noise_variance;      // one variance per row
  Array<double> right_hand_sides{{1, 0}};  // b: [samples, rows], or [1, rows] for all samples

  [[nodiscard]] Index rows() const { return std::ssize(names); }
  [[nodiscard]] std::span<const RowEntry> row(Index r) const;
  // The right-hand sides of one sample.
  [[nodiscard]] std::span<const double> right_hand_side(Index sample) const;

  // Appends a row, in the order of its points: entries of the same point are added up, zeros left out. Its
  // right-hand side must be given with set_right_hand_sides once all rows are there.
  void add_row(std::string name, std::vector<RowEntry> row, double variance = 0);
  void set_right_hand_sides(Array<double> values);
  void set_noise_variance(double variance);
};

// Throws unless the contract holds for fields of `points` values and `samples` samples.
void validate(const LinearConstraints& constraints, Index points, Index samples);

// All rows of all parts, in order.
LinearConstraints stack(std::span<const LinearConstraints> parts);
// The rows with the given indices, in that order.
LinearConstraints select_rows(const LinearConstraints& constraints, std::span<const Index> rows);

// G u - b of one sample; `field` has `points` values, `residuals` one per row.
template <class Value>
void evaluate_residuals(const LinearConstraints& constraints, Index sample, std::span<const Value> field,
                        std::span<double> residuals);

// sum |g u| + |b| of one row: what rounding of its residual is judged by.
double size_of_terms(const LinearConstraints& constraints, Index row, Index sample, const double* field);

// The noise variance that the data themselves show: per row the mean over samples of (g.u - b)^2. On training
// data that is the error of the quadrature, below which a constraint should not be enforced.
template <class Value>
std::vector<double> noise_from_fields(const LinearConstraints& constraints, ArrayView<const Value> fields);

}  // namespace nouq
