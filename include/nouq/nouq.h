/* nouq from C, and from whatever can call C.
 *
 * Why: a solver in C or Fortran trains a surrogate on its own fields, and asks it for a mean, a standard
 * deviation and whether to trust them. When: load a model once (or train one), predict as often as wanted:
 *
 *   nouq_model model;
 *   if (nouq_load("pme.nouq", &model) != NOUQ_OK) puts(nouq_last_error());
 *   int64_t extents[] = {100, 20};
 *   nouq_array k = nouq_row_major(inputs, NOUQ_FLOAT64, 2, extents);
 *   nouq_array u = nouq_row_major(mean, NOUQ_FLOAT64, 2, extents);
 *   nouq_array s = nouq_row_major(deviation, NOUQ_FLOAT64, 2, extents);
 *   nouq_predict(model, &k, &u, &s, NULL, NULL, NULL);
 *
 * Contract: every function returns a status; when it is not NOUQ_OK, nouq_last_error() of the same thread
 * says why, and nothing was written (handles become 0). Nothing is printed, nothing is thrown, no signal is
 * raised. Handles are numbers, not pointers: one that was freed or never given is an error, not a crash. All
 * functions may be called from many threads at once, on one model too. Memory is the caller's; it must hold
 * what its nouq_array says, which the library cannot check.
 */
#ifndef NOUQ_NOUQ_H
#define NOUQ_NOUQ_H

#include <nouq/export.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nouq_status {
  NOUQ_OK = 0,
  NOUQ_BAD_REQUEST = 1, /* an argument is wrong: null, shape, name, number, file */
  NOUQ_BAD_HANDLE = 2,  /* no model, data or constraints of this handle, or not any more */
  NOUQ_FAILURE = 3,     /* the request was fine, doing it failed */
  NOUQ_OUT_OF_MEMORY = 4,
  NOUQ_CANCELLED = 5 /* the caller's function asked to stop */
} nouq_status;

/* The version of the library, e.g. "0.1.0". */
NOUQ_API const char* nouq_version(void);
/* What went wrong in the last failed call of this thread; "" before the first. Valid until the next call. */
NOUQ_API const char* nouq_last_error(void);

/* --- Arrays -------------------------------------------------------------------------------------------- */

#define NOUQ_FLOAT32 1
#define NOUQ_FLOAT64 2
#define NOUQ_MAX_RANK 6

/* Numbers of the caller. Strides count elements; those of inputs may be 0 (one number for a whole axis). */
typedef struct nouq_array {
  void* data; /* inputs are only read */
  int32_t type;
  int32_t rank;
  int64_t extent[NOUQ_MAX_RANK];
  int64_t stride[NOUQ_MAX_RANK];
} nouq_array;

/* Without gaps, the last index fastest (C) or the first (Fortran). A rank beyond the bounds gives an array
 * that every function refuses. */
NOUQ_API nouq_array nouq_row_major(const void* data, int32_t type, int32_t rank, const int64_t* extents);
NOUQ_API nouq_array nouq_column_major(const void* data, int32_t type, int32_t rank, const int64_t* extents);

/* --- Models -------------------------------------------------------------------------------------------- */

typedef uint64_t nouq_model; /* 0 is no model */

typedef struct nouq_info {
  int32_t axes;      /* of the grid */
  int64_t extent[3]; /* of the grid it was trained on */
  int32_t input_channels;
  int32_t output_channels;
  int64_t members;   /* samples in a prediction: heads, networks, masks; 0 when the method has none */
  int32_t has_trust; /* 1 when it can judge its predictions */
} nouq_info;

/* Reads a model file. Files are not trusted: a damaged one is refused with the reason. */
NOUQ_API nouq_status nouq_load(const char* path, nouq_model* model);
/* Calls of other threads that are under way still end well. */
NOUQ_API nouq_status nouq_free(nouq_model model);
NOUQ_API nouq_status nouq_describe(nouq_model model, nouq_info* info);
/* The coordinates along an axis (counted from 0): `count` must be its extent. */
NOUQ_API nouq_status nouq_coordinates(nouq_model model, int32_t axis, double* coordinates, int64_t count);
/* Threads of one call of nouq_predict: 1 unless set, 0 means all cores. */
NOUQ_API nouq_status nouq_set_threads(nouq_model model, int32_t threads);

#define NOUQ_IN_DOMAIN 0
#define NOUQ_DOUBTFUL 1
#define NOUQ_OUT_OF_DOMAIN 2

/* Inputs are [samples, axes..., channels], or [axes...] for one sample of one channel; mean and deviation
 * likewise; samples are [samples, members, axes..., channels] or [members, axes...]. `score` and `verdict`
 * get one number per sample: up to 1 is in domain, and a NOUQ_ verdict. What is NULL is left out. Allocates
 * nothing after the first call of a shape. */
NOUQ_API nouq_status nouq_predict(nouq_model model, const nouq_array* inputs, const nouq_array* mean,
                                  const nouq_array* deviation, const nouq_array* samples, double* score,
                                  int32_t* verdict);

/* The same with `band`, the half widths of bands around the mean that contain the truth with a probability
 * the model was calibrated for; nouq_band_coverage says which (0: it has no bands, and band must be NULL). */
NOUQ_API nouq_status nouq_predict_band(nouq_model model, const nouq_array* inputs, const nouq_array* mean,
                                       const nouq_array* deviation, const nouq_array* samples,
                                       const nouq_array* band, double* score, int32_t* verdict);
NOUQ_API nouq_status nouq_band_coverage(nouq_model model, double* coverage);

/* Derivatives of the mean, before any projection. By the inputs: gradient (as the inputs) is the sum over the
 * outputs of sensitivity (as the mean) times d mean / d input; derivative (as the mean) that over the inputs
 * of d mean / d input times direction (as the inputs). */
NOUQ_API nouq_status nouq_gradient(nouq_model model, const nouq_array* inputs, const nouq_array* sensitivity,
                                   const nouq_array* gradient);
NOUQ_API nouq_status nouq_derivative(nouq_model model, const nouq_array* inputs, const nouq_array* direction,
                                     const nouq_array* derivative);
/* By the parameters that the inputs are functions of, where that is known (a built-in problem, a table of
 * parameters that names every input): values, gradient and direction are [samples, parameters] or
 * [parameters]. */
NOUQ_API nouq_status nouq_parameter_gradient(nouq_model model, const nouq_array* values,
                                             const nouq_array* sensitivity, const nouq_array* gradient);
NOUQ_API nouq_status nouq_parameter_derivative(nouq_model model, const nouq_array* values,
                                               const nouq_array* direction, const nouq_array* derivative);

/* Where to put what a model thinks of its predictions; what is NULL is left out. */
typedef struct nouq_trust {
  double* score;        /* one per sample: up to 1 is in domain */
  int32_t* verdict;     /* one per sample: a NOUQ_ verdict */
  double* witnesses;    /* three per sample: spread, law, novelty; NaN where one is not heard */
  char* reasons;        /* a line per sample, its reasons separated by "; ", empty where in domain */
  int64_t reasons_size; /* characters there is room for, the 0 at the end counted */
} nouq_trust;

/* The same as nouq_predict, with trust that gives its reasons: "m = 6.2 is outside 2 to 3; the heads disagree
 * 8.0 times as much as on held-out data". `known` (0 for none) has what is known of the inputs besides: the
 * values of the model's laws under their names, as "mass": [samples, times] or [times] for all samples, and
 * "parameters": [samples, parameters] of the training data. Too little room for the reasons is a bad request
 * that says how much is needed; the other outputs are then written all the same. */
NOUQ_API nouq_status nouq_predict_trust(nouq_model model, const nouq_array* inputs, uint64_t known,
                                        const nouq_array* mean, const nouq_array* deviation,
                                        const nouq_array* samples, const nouq_trust* trust);
/* --- Training ------------------------------------------------------------------------------------------ */

/* Writes a model to one file, replaced in one step. */
NOUQ_API nouq_status nouq_save(nouq_model model, const char* path);

typedef uint64_t nouq_data; /* a data set; 0 is none */

/* What the values along an axis are: at points, the first and the last at the ends of the domain; of cells,
 * whose centres the coordinates are; of a field that continues where it began. */
#define NOUQ_POINTS 0
#define NOUQ_CELLS 1
#define NOUQ_PERIODIC 2

/* One axis of a grid. */
typedef struct nouq_axis {
  const char* name;
  const char* unit;          /* NULL for none */
  const double* coordinates; /* increasing */
  int64_t count;
  int32_t kind; /* NOUQ_POINTS, NOUQ_CELLS or NOUQ_PERIODIC */
} nouq_axis;

/* A data set of the caller's fields, which are copied: inputs and outputs are [samples, axes..., channels].
 * Channels are called a, a1, ... and u, u1, ... */
NOUQ_API nouq_status nouq_data_from_arrays(int32_t axes, const nouq_axis* grid, const nouq_array* inputs,
                                           const nouq_array* outputs, nouq_data* data);
/* The values of a conservation law, e.g. "mass": [samples, times], the integral over all axes but t. */
NOUQ_API nouq_status nouq_data_set_values(nouq_data data, const char* name, const nouq_array* values);
/* From a file (NPZ, HDF5), and into one (by the ending of its name). */
NOUQ_API nouq_status nouq_data_read(const char* path, nouq_data* data);
NOUQ_API nouq_status nouq_data_write(nouq_data data, const char* path);
NOUQ_API nouq_status nouq_data_samples(nouq_data data, int64_t* samples);
NOUQ_API nouq_status nouq_data_free(nouq_data data);

typedef struct nouq_epoch {
  int64_t network, networks; /* which of how many, from 0 */
  int64_t epoch, epochs;     /* likewise */
  double train_loss, validation_loss;
} nouq_epoch;

/* Told of every epoch, never by two threads at once; anything but 0 stops the training. */
typedef int32_t (*nouq_progress)(const nouq_epoch* epoch, void* user);

/* Trains a surrogate. settings: lines of TOML as in [train] of the tool's configuration files, such as
 * "method = 'ensemble'\ncount = 5\nepochs = 500"; NULL for the defaults. progress may be NULL; user is handed
 * to it. The model is that of `nouq train` with the same data and settings. A library built to use models
 * only (NOUQ_INFERENCE_ONLY) refuses. */
NOUQ_API nouq_status nouq_train(nouq_data data, const char* settings, nouq_progress progress, void* user,
                                nouq_model* model);

/* --- Conservation laws --------------------------------------------------------------------------------- */

typedef uint64_t nouq_constraints; /* 0 is none */

/* The integral along an axis of the model's grid is known at every place on the other axes. rule:
 * "trapezoid", "simpson", "midpoint", or "automatic" (NULL): what the kind of the axis asks for.
 * noise_variance: the variance with which it holds, 0 for exactly. values: [samples, other axes...], or
 * [other axes...] for all samples. */
NOUQ_API nouq_status nouq_integral(nouq_model model, const char* axis, const char* rule, int64_t channel,
                                   double noise_variance, const nouq_array* values,
                                   nouq_constraints* constraints);
/* Any sparse rows on fields of `points` values, counted from 0, row-major, channel last: entry i says that
 * rows[i] has weights[i] at places[i]. values: [samples, rows], or [rows] for all samples. */
NOUQ_API nouq_status nouq_sparse(int64_t points, int64_t entries, const int64_t* rows, const int64_t* places,
                                 const double* weights, double noise_variance, const nouq_array* values,
                                 nouq_constraints* constraints);
/* Arrays by name, for what follows: copies, so the caller's memory may go. An array of a name that is taken
 * replaces the one before. */
typedef uint64_t nouq_arrays; /* 0 is none */
NOUQ_API nouq_status nouq_new_arrays(nouq_arrays* arrays);
NOUQ_API nouq_status nouq_set_array(nouq_arrays arrays, const char* name, const nouq_array* values);
NOUQ_API nouq_status nouq_free_arrays(nouq_arrays arrays);

/* The model's own law and bounds: `values` (0 for none) has the right-hand sides under the names of its laws,
 * as "mass": [samples, times], or [times] for all samples, and "parameter": [samples] where the model is of a
 * built-in problem whose bounds depend on it. How strictly the law holds is what calibration found. */
NOUQ_API nouq_status nouq_law_of(nouq_model model, nouq_arrays values, nouq_constraints* constraints);
/* Any kind of constraint by name (`nouq constraints` lists them), from TOML text with a [[constraint]] table
 * for each; arrays that they name are in `arrays` (0 for none). The grid is that of the model, or with model
 * 0 that of [[axis]] tables (name, kind = "points", "cells" or "periodic", coordinates = a list or the name
 * of an array) and `channels`. noise_variance: of rows that set no noise variance of their own, 0 for
 * exactly. */
NOUQ_API nouq_status nouq_constraints_from_toml(nouq_model model, const char* text, nouq_arrays arrays,
                                                double noise_variance, nouq_constraints* constraints);
/* How many rows there are, and the noise variance of each: `count` must be their number. */
NOUQ_API nouq_status nouq_constraint_rows(nouq_constraints constraints, int64_t* rows);
NOUQ_API nouq_status nouq_noise_variances(nouq_constraints constraints, double* variances, int64_t count);
NOUQ_API nouq_status nouq_free_constraints(nouq_constraints constraints);

/* A prediction, or where to put one; what is NULL is left out. */
typedef struct nouq_fields {
  const nouq_array* mean;
  const nouq_array* deviation;
  const nouq_array* samples;
} nouq_fields;

/* Conditions a prediction on the constraints. `projected` may be the prediction itself. diagonal_share: 1
 * spreads the correction by the deviations alone, 0 by the covariance of the samples; independent_axis: along
 * which samples are taken as uncorrelated, e.g. "t", or NULL. */
NOUQ_API nouq_status nouq_project(nouq_constraints constraints, const nouq_fields* prediction,
                                  const nouq_fields* projected, double diagonal_share,
                                  const char* independent_axis);

/* The same within bounds of every value, e.g. 0 and INFINITY for a density: the correction is spread by the
 * deviations; the projected deviation is that of the samples, each projected by itself, where there are some.
 */
NOUQ_API nouq_status nouq_project_within(nouq_constraints constraints, const nouq_fields* prediction,
                                         const nouq_fields* projected, double lower, double upper);

/* By name, as the tool's --conserve: "diagonal", "low-rank", "bounded" or "none"; NULL: within the
 * constraints' own bounds where they have some, spread by the deviations. lower and upper: further bounds,
 * one for all, one per value of a field or that for every sample; NULL for none. */
NOUQ_API nouq_status nouq_project_as(nouq_constraints constraints, const nouq_fields* prediction,
                                     const nouq_fields* projected, const char* preset,
                                     const nouq_array* lower, const nouq_array* upper);

/* --- Metrics ------------------------------------------------------------------------------------------- */

/* A metric by name ("mse", "nll", "rmsce", ...) of fields [samples, axes..., channels]. deviation may be NULL
 * for metrics of the mean alone. weights and values serve "conservation_error" only: quadrature weights along
 * the first axis, and the right values of the sums [samples, times]. per_sample: room for one value per
 * sample, or NULL. */
NOUQ_API nouq_status nouq_metric(const char* name, const nouq_array* mean, const nouq_array* deviation,
                                 const nouq_array* truth, const nouq_array* weights, const nouq_array* values,
                                 double* value, double* per_sample);

#ifdef __cplusplus
}
#endif

#endif
