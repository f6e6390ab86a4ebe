// A loss of what is left of a prediction once it has been projected onto rows of the field
// (row_projection.h).
//
// For a Gaussian loss, mean and variance are projected, and the score is that of the projected Gaussian; for
// one of heads, each head is moved by the gain they share and the loss is that of the moved heads. Why that
// form for heads: their mean is projected as the moments would be, their spread along the rows is taken out
// with it, and nothing but the heads has to be known.
// Contract: outputs, targets and gradient as for sample_loss (loss.h), in the order of the points that the
// rows count in. Computed in double and rounded once. Memory grows on the first call alone.
#pragma once

#include "core/buffer.h"
#include "nn/loss.h"
#include "nn/row_projection.h"

namespace nouq {

// Fields as the projection wants them: [points][channels], heads one after another.
struct ProjectionScratch {
  Buffer<double> fields, moved, mean, variance, columns, column_gradient, targets, work;

  [[nodiscard]] std::size_t memory() const {
    return (fields.size() + moved.size() + mean.size() + variance.size() + columns.size() +
            column_gradient.size() + targets.size() + work.size()) *
           sizeof(double);
  }
};

// `values`: one per row. `gradient` may be null.
template <class T>
double projected_loss(const Loss& loss, const FieldRows& rows, const double* values, const T* outputs,
                      const T* targets, Index points, T* gradient, ProjectionScratch& scratch);

}  // namespace nouq
