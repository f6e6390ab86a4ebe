#include "nn/row_projection.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nouq {
namespace {

// One row: sums over its places.
class Row {
 public:
  Row(const FieldRows& rows, Index r) : rows_(rows), r_(r) {}

  [[nodiscard]] Index begin() const { return rows_.begin[r_]; }
  [[nodiscard]] Index end() const { return rows_.begin[r_ + 1]; }
  [[nodiscard]] Index place(Index k) const { return rows_.place[k]; }
  [[nodiscard]] double weight(Index k) const { return rows_.weight[k]; }

  // g.field
  [[nodiscard]] double of(const double* field) const {
    double sum = 0;
    for (Index k = begin(); k < end(); ++k) sum += weight(k) * field[place(k)];
    return sum;
  }
  // s, the variance of the sum with its noise
  [[nodiscard]] double variance(const double* variance) const {
    double sum = rows_.noise[r_];
    for (Index k = begin(); k < end(); ++k) sum += weight(k) * weight(k) * variance[place(k)];
    return sum;
  }
  // (g v).field
  [[nodiscard]] double along_gain(const double* variance, const double* field) const {
    double sum = 0;
    for (Index k = begin(); k < end(); ++k) sum += weight(k) * variance[place(k)] * field[place(k)];
    return sum;
  }
  // field -= g v * amount
  void move(const double* variance, double amount, double* field) const {
    for (Index k = begin(); k < end(); ++k) field[place(k)] -= weight(k) * variance[place(k)] * amount;
  }
  // field -= g * amount
  void subtract(double amount, double* field) const {
    for (Index k = begin(); k < end(); ++k) field[place(k)] -= weight(k) * amount;
  }

 private:
  const FieldRows& rows_;
  std::size_t r_;
};

}  // namespace

void validate(const FieldRows& rows, Index size) {
  require(std::ssize(rows.begin) == rows.count() + 1 && rows.begin.front() == 0 &&
              rows.begin.back() == std::ssize(rows.place) && rows.weight.size() == rows.place.size() &&
              std::is_sorted(rows.begin.begin(), rows.begin.end()),
          "rows of a field: {} row ends, {} places and {} weights for {} rows", rows.begin.size(),
          rows.place.size(), rows.weight.size(), rows.count());
  std::vector<bool> taken(size, false);
  for (std::size_t k = 0; k < rows.place.size(); ++k) {
    const Index place = rows.place[k];
    require(place >= 0 && place < size, "rows of a field of {} values: place {}", size, place);
    require(std::isfinite(rows.weight[k]), "rows of a field: weight {} at place {}", rows.weight[k], place);
    require(!taken[place], "rows of a field: two of them share place {}, expected each to have its own",
            place);
    taken[place] = true;
  }
  for (const double noise : rows.noise)
    require(std::isfinite(noise) && noise >= 0.0, "rows of a field: noise variance {}, expected 0 or more",
            noise);
}

void project_gaussian(const FieldRows& rows, const double* values, double* mean, double* variance) {
  for (Index r = 0; r < rows.count(); ++r) {
    const Row row(rows, r);
    const double s = row.variance(variance);
    if (!(s > 0.0)) continue;
    row.move(variance, (row.of(mean) - values[r]) / s, mean);
    for (Index k = row.begin(); k < row.end(); ++k) {
      double& v = variance[row.place(k)];
      const double gain = row.weight(k) * v;
      v -= gain * gain / s;
    }
  }
}

// With a = dL/dmu' and c = dL/dv':  dL/dr = -A / s  with A = a.(g v),
//   dL/ds = (A r + C) / s^2  with C = c.(g v)^2,
//   dL/dmu = a + g dL/dr,   dL/dv = c - a g r / s - 2 c g^2 v / s + g^2 dL/ds
void project_gaussian_adjoint(const FieldRows& rows, const double* values, const double* mean,
                              const double* variance, double* by_mean, double* by_variance) {
  for (Index r = 0; r < rows.count(); ++r) {
    const Row row(rows, r);
    const double s = row.variance(variance);
    if (!(s > 0.0)) continue;
    const double residual = row.of(mean) - values[r];
    const double along = row.along_gain(variance, by_mean);
    double squares = 0;
    for (Index k = row.begin(); k < row.end(); ++k) {
      const double gain = row.weight(k) * variance[row.place(k)];
      squares += by_variance[row.place(k)] * gain * gain;
    }
    const double by_s = (along * residual + squares) / (s * s);
    for (Index k = row.begin(); k < row.end(); ++k) {
      const Index i = row.place(k);
      const double g = row.weight(k);
      by_variance[i] +=
          -by_mean[i] * g * residual / s - 2.0 * by_variance[i] * g * g * variance[i] / s + g * g * by_s;
    }
    row.subtract(along / s, by_mean);
  }
}

void head_moments(const Heads& heads, const double* fields, double* mean, double* variance) {
  const auto count = static_cast<double>(heads.count);
  std::fill_n(mean, heads.size, 0.0);
  std::fill_n(variance, heads.size, 0.0);
  for (Index m = 0; m < heads.count; ++m) {
    for (Index i = 0; i < heads.size; ++i) mean[i] += fields[m * heads.size + i] / count;
  }
  for (Index m = 0; m < heads.count; ++m) {
    for (Index i = 0; i < heads.size; ++i) {
      const double difference = fields[m * heads.size + i] - mean[i];
      variance[i] += difference * difference / (count - 1.0);
    }
  }
}

void project_heads(const FieldRows& rows, const double* values, const Heads& heads, const double* variance,
                   double* fields) {
  for (Index r = 0; r < rows.count(); ++r) {
    const Row row(rows, r);
    const double s = row.variance(variance);
    if (!(s > 0.0)) continue;
    for (Index m = 0; m < heads.count; ++m) {
      double* field = fields + m * heads.size;
      row.move(variance, (row.of(field) - values[r]) / s, field);
    }
  }
}

// As for a Gaussian, summed over the heads; the variance is theirs, dv/dx_m = 2 (x_m - mean) / (M - 1).
void project_heads_adjoint(const FieldRows& rows, const double* values, const Heads& heads,
                           const double* fields, const double* mean, const double* variance, double* gradient,
                           double* work) {
  const double degrees = static_cast<double>(heads.count) - 1.0;
  double *residual = work, *along = work + heads.count;
  for (Index r = 0; r < rows.count(); ++r) {
    const Row row(rows, r);
    const double s = row.variance(variance);
    if (!(s > 0.0)) continue;
    double by_s = 0;
    for (Index m = 0; m < heads.count; ++m) {
      residual[m] = row.of(fields + m * heads.size) - values[r];
      along[m] = row.along_gain(variance, gradient + m * heads.size);
      by_s += along[m] * residual[m] / (s * s);
    }
    for (Index k = row.begin(); k < row.end(); ++k) {
      const Index i = row.place(k);
      const double g = row.weight(k);
      double by_variance = g * g * by_s;
      for (Index m = 0; m < heads.count; ++m)
        by_variance -= gradient[m * heads.size + i] * g * residual[m] / s;
      for (Index m = 0; m < heads.count; ++m) {
        const Index at = m * heads.size + i;
        gradient[at] += 2.0 * by_variance * (fields[at] - mean[i]) / degrees - g * along[m] / s;
      }
    }
  }
}

}  // namespace nouq
