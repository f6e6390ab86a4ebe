// What a surrogate knows about its own projections, from held-out samples: how strictly and how evenly to use
// the law, and how large errors are after each projection.
//
// Strictness and spread of the bounded projection. A law says by how much a field's integral is off, not
// where. Spread evenly (sigma power 0), the correction is the orthogonal projection onto a convex set that
// holds the truth, so that it cannot increase the squared error by more than the data's own misfit; spread by
// sigma^2 it removes more where sigma knows the places, and can do harm where it does not. So of the powers
// 0, 1/2, 1, 3/2 and 2 the least is taken that brings held-out predictions within 2 % as near to the truth as
// the best: sigma must earn its say. Of the noise variances, a hundredth to a million times that of the
// training data, the strictest one that is within 2 %: in domain it hardly matters, far from it a strict law
// does most; and since the largest leave the law out, the held-out error after the projection is at most 2 %
// above the one after clipping alone (rows that the training data meet exactly stay exact).
//
// Sizes. After a projection errors are smaller, and its own formula for the variance does not know by how
// much. As before it (uq/sizing.h), a variance v becomes scale (v + floor), one of each per channel, and
// bands have a factor. For `bounded` the prediction goes in as it came from the networks, not sized by the
// law: what the law had to say is then in the correction, whose square is part of the variance.
//
// Contract: kept as "sizing.after.<projection>" ([channels, 4]: scale, floor, the scale's standard error,
// root mean square error), "sizing.rows.<projection>" (of the law), "conformal.after.<projection>.*" and
// "sizing.rms" (errors without a projection). They hold for the
// projection's own noise variance and for laws with as many rows; otherwise the variance stays as the
// projection gives it.
#pragma once

#include <optional>

#include "physics/projection_choice.h"
#include "uq/conformal.h"
#include "uq/defaults.h"

namespace nouq {

// `noise_variance` is that of the training data (law_noise). Without values of the law at the same places,
// the noise variance itself; when it is empty, nothing.
LawUse chosen_law_use(const Array<double>& noise_variance, const DataSet& held_out,
                      const Prediction& prediction, int threads);

// Of every projection that the held-out data allow; of more than 128 samples as many, evenly spread. Takes
// the prediction for them, sized by data; samples are asked of the surrogate, some at a time. Forgets what
// was there before.
void calibrate_projections(const CalibrationOptions& options, const DataSet& held_out,
                           const Prediction& prediction, int threads, Surrogate& surrogate);

// Whether the surrogate sizes what comes out of this projection onto a law of so many rows.
bool has_size_after(const Surrogate& surrogate, const ProjectionChoice& choice, Index rows);
// Whether a prediction is to be sized by the law before this projection.
bool sized_by_law_before(const Surrogate& surrogate, const ProjectionChoice& choice, Index rows);
// Sizes the variances of a projected prediction and gives it bands; samples stay on the law and within the
// bounds.
void size_after(const Surrogate& surrogate, const ProjectionChoice& choice, Index rows,
                Prediction& projected);
Sizing sizing_after(const Surrogate& surrogate, ProjectionKind kind);  // may be empty
// Root mean square errors of the held-out samples, one per channel. Throws when the surrogate keeps none.
std::vector<double> held_out_errors(const Surrogate& surrogate, ProjectionKind kind);
std::optional<Conformal> bands_after(const Surrogate& surrogate, ProjectionKind kind);  // of what comes out

}  // namespace nouq
