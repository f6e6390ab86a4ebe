// Weighted sums of a field whose values are known, and the projection of a prediction onto them, with its
// adjoint: the projection inside training.
//
// For a row g with the value b and the noise variance R, a mean mu and independent variances v:
//
//   s = sum g^2 v + R        r = g.mu - b        mu' = mu - g v r / s        v' = v - (g v)^2 / s
//
// which is the Gaussian N(mu, v) given that g.u = b + noise, but for the covariances that this makes. Heads
// (a sample of M fields) are each moved by the gain g v / s that they share, with v their variance at every
// point: their mean is then the mu' of their moments.
// Contract: no two rows share a place, so each is projected by itself and nothing has to be solved. All in
// double, in place; a row without any variance and noise moves nothing. The adjoints take the fields before
// the projection, and turn the gradient by what came out into that by what went in.
#pragma once

#include <span>
#include <vector>

#include <nouq/array.h>

namespace nouq {

struct FieldRows {
  std::vector<Index> begin = {0};  // row r: entries begin[r] .. begin[r + 1]
  std::vector<Index> place;        // in a field [points][channels]
  std::vector<double> weight;
  std::vector<double> noise;  // a variance per row; 0: the sum is known exactly

  [[nodiscard]] Index count() const { return std::ssize(noise); }
};

// Throws unless the rows are of fields of `size` values, finite, and share no place.
void validate(const FieldRows& rows, Index size);

// `values`: one per row. mean, variance: [size].
void project_gaussian(const FieldRows& rows, const double* values, double* mean, double* variance);
void project_gaussian_adjoint(const FieldRows& rows, const double* values, const double* mean,
                              const double* variance, double* by_mean, double* by_variance);

// Heads as fields one after another: [heads][size], with their moments at every place. work: 2 per head.
struct Heads {
  Index count;
  Index size;
};
void head_moments(const Heads& heads, const double* fields, double* mean, double* variance);
void project_heads(const FieldRows& rows, const double* values, const Heads& heads, const double* variance,
                   double* fields);
void project_heads_adjoint(const FieldRows& rows, const double* values, const Heads& heads,
                           const double* fields, const double* mean, const double* variance, double* gradient,
                           double* work);

}  // namespace nouq
