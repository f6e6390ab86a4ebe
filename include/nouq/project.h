// Projects predictions onto conservation laws and into bounds: mean and deviation conditioned on G u = b.
//
// What for: a prediction that violates a law is wrong in a known way, and its own uncertainty says where.
// With the prediction's covariance Sigma, rows G, right-hand sides b and the noise variances R of the rows
//
//   mean~ = mean - Sigma G' (G Sigma G' + R)^-1 (G mean - b)
//
// (Kalman's formula; for neural operators: Hansen et al. 2023, Hasan et al. 2024.) Within bounds the same is
// minimised over fields that keep to them; docs/projection.md derives both.
//
// When: the integral of a field (mass, energy), values at a boundary or at sensors, or bounds are known.
// Works on any prediction, of a Model or not:
//
//   const nouq::Model model = nouq::Model::load("pme.nouq");
//   nouq::Answer answer = model.predict(k, true);
//   const auto law = nouq::Constraints::of(model, {{"mass", nouq::Input(mass.data(), {nt})}});
//   nouq::project(law, inputs, outputs, {.preset = "bounded"});          // as nouq predict --conserve
//   bounded
//
//   const auto mine = nouq::Constraints::from_toml({{{"x", "m", x, "cells"}}, 1},
//       "[[constraint]]\nkind = 'integral'\naxis = 'x'\nvalue = 'heat'\n", {{"heat", heat}});
//
// Contract: exact laws (noise variance 0) are met to rounding, or an Error names the row that cannot be.
// Fields are [samples, axes..., channels], or [axes...] alone for one sample of one channel; outputs may be
// the inputs themselves. The library's functions here may be called from many threads at once.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <nouq/model.h>

namespace nouq {

struct ConstraintData;
struct LinearConstraints;
class Problem;
struct DataSet;

// Where the values of fields sit: their axes, and how many channels there are at each point. The kind of an
// axis decides how integrals over it are computed: "points" (trapezoid rule), "cells" (averages over cells or
// values at their centres: midpoint rule, as finite volumes need), "periodic" (once around).
struct FieldGrid {
  std::vector<AxisInfo> axes;
  std::int64_t channels = 1;
};
// That of a model's outputs, as it was trained.
NOUQ_API FieldGrid fields_of(const Model& model);
// That of fields on a grid, e.g. DataSet::grid.
NOUQ_API FieldGrid fields_on(const Grid& grid, std::int64_t channels = 1);

// Right-hand sides and whatever else constraints name: [samples, ...], or [...] for all samples.
using NamedInputs = std::map<std::string, Input>;

// A setting of a constraint: a number, a text (an axis, or the name of an array), or a list of either.
using Setting = std::variant<double, std::string, std::vector<double>, std::vector<std::string>>;

struct IntegralOptions {
  std::string rule = "automatic";  // what the kind of the axis asks for; or trapezoid, simpson, midpoint
  std::int64_t channel = 0;
  double noise_variance = 0;  // variance with which the law holds; 0: exactly
};

class NOUQ_API Constraints {
 public:
  // The model's own law and bounds. `values` holds the right-hand sides under the names of the laws
  // (ModelInfo::laws), such as "mass": [samples, times], or [times] for all samples; a law without values is
  // left out. Its noise variances are those that calibration found best on held-out data. Bounds are those of
  // the output channels; where the training data came from a built-in problem whose bounds depend on its
  // parameter, give that as values "parameter": [samples].
  static Constraints of(const Model& model, const NamedInputs& values = {});
  // Any kind of constraint by name, as `nouq constraints` lists them: the text has one [[constraint]] table
  // for each, as in docs/projection.md; arrays that they name are in `arrays`. `noise_variance` is for rows
  // that set no noise variance of their own.
  static Constraints from_toml(const FieldGrid& grid, const std::string& text, const NamedInputs& arrays = {},
                               double noise_variance = 0);
  // The same where the text has the grid, too: [[axis]] tables with name, kind and coordinates (a list, or
  // the name of an array), in the order of the fields' axes, and `channels`, 1 unless given.
  static Constraints from_toml(const std::string& text, const NamedInputs& arrays = {},
                               double noise_variance = 0);
  // The same from a file, which messages name.
  static Constraints from_file(const FieldGrid& grid, const std::string& path, const NamedInputs& arrays = {},
                               double noise_variance = 0);
  // The laws of data with their values, and their bounds; where a built-in problem made them, with its own
  // bounds at their parameters.
  static Constraints of(const DataSet& data);
  // The law of a problem at these parameters, one per sample or one for all, and with `bounds` its bounds.
  static Constraints of(const Problem& problem, const Grid& grid, std::span<const double> parameters,
                        bool bounds = true, double noise_variance = 0);
  // Bounds of every channel.
  static Constraints within(const FieldGrid& grid, const std::vector<Bounds>& bounds);
  // One constraint by its kind and its settings, as in such a table.
  static Constraints of_kind(const FieldGrid& grid, const std::string& kind,
                             const std::map<std::string, Setting>& settings, const NamedInputs& arrays = {},
                             double noise_variance = 0);
  // The integral along `axis` of the model's grid is known at every place on the other axes. values:
  // [samples, other axes...], or [other axes...] for all samples.
  static Constraints integral(const Model& model, const std::string& axis, const Input& values,
                              const IntegralOptions& options = {});
  // The same over one or several axes of any grid.
  static Constraints integral(const FieldGrid& grid, const std::vector<std::string>& axes,
                              const Input& values, const IntegralOptions& options = {});
  // Any sparse rows on fields of `points` values (row-major, channel last): entry i says that row[i] has
  // weight[i] at point[i]. values: [samples, rows], or [rows] for all samples.
  static Constraints sparse(std::int64_t points, std::span<const std::int64_t> row,
                            std::span<const std::int64_t> point, std::span<const double> weight,
                            const Input& values, double noise_variance = 0);
  // All of them at once; they must be on the same grid.
  static Constraints together(const std::vector<Constraints>& parts);

  [[nodiscard]] std::int64_t rows() const;
  [[nodiscard]] std::int64_t samples() const;  // of the right-hand sides; 1 where they are those of all
  [[nodiscard]] std::vector<std::string> names() const;       // of the rows: "integral over x at t = 0.5"
  [[nodiscard]] std::vector<double> noise_variances() const;  // of the rows
  [[nodiscard]] bool has_bounds() const;
  // The sums that the rows speak of, of one field; what they should be in a sample; and the difference. A
  // field has its values row-major, channel last.
  [[nodiscard]] std::vector<double> sums(std::span<const double> field) const;
  [[nodiscard]] std::vector<double> right_hand_sides(std::int64_t sample) const;
  [[nodiscard]] std::vector<double> residuals(std::int64_t sample, std::span<const double> field) const;
  // Bounds of a sample, one value per point of the field; empty: none.
  [[nodiscard]] std::vector<double> lower(std::int64_t sample) const;
  [[nodiscard]] std::vector<double> upper(std::int64_t sample) const;
  // The noise that true fields show: per row the mean over samples of the squared residual. Of training data
  // that is the error of the quadrature, below which a law should not be enforced.
  [[nodiscard]] std::vector<double> noise_of(const Array<float>& fields) const;
  // The same constraints with these noise variances, one per row.
  [[nodiscard]] Constraints with_noise(const std::vector<double>& variances) const;
  // The rows in the library's own form: for MassInfo of nouq/metrics.h.
  [[nodiscard]] const LinearConstraints& equations() const;
  [[nodiscard]] const Grid& grid() const;  // of the fields; of sparse rows, which know none, a line of points
  [[nodiscard]] const ConstraintData& data() const { return *data_; }

  explicit Constraints(std::shared_ptr<const ConstraintData> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const ConstraintData> data_;
};

struct ProjectOptions {
  // The covariance: 1 is the diagonal of the deviations, 0 that of the samples, between them the mixture.
  double diagonal_share = 1;
  // Along which samples are taken as uncorrelated, usually "t"; may be empty. "auto" is "t" where it is one
  // of two or more axes: samples are few and times are many.
  std::string independent_axis = {};
  int threads = 1;
  // Bounds of every value, e.g. 0 for a density. With one of them, or with constraints that have bounds, the
  // projection keeps to the bounds: the diagonal covariance, scaled up where the prediction is surer than its
  // violations allow; the deviation is then that of the samples, each projected by itself, where there are
  // samples.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  // Bounds that differ: one per point of a field, or that for every sample; -inf and inf where there is none.
  Input lower_bounds = {};
  Input upper_bounds = {};
  // Instead of the above, what the tool means by --conserve: "none", "diagonal" (the paper's: the law with a
  // noise variance of 1e-9), "low-rank" (the same, spread by half the samples' covariance at each time) or
  // "bounded" (within the bounds, each row with its own noise).
  std::string preset = {};
  // Variance with which every row holds, instead of the rows' own or the preset's.
  std::optional<double> noise_variance = {};
  // 1 spreads a correction more evenly than the deviations do, 0 evenly.
  double sigma_power = 2;
  bool bounded = false;         // scale up variances and take the samples' deviation, even without bounds
  bool fixed_variance = false;  // of a bounded projection: do not scale variances up
  // Of a bounded projection: automatic, gaussian, truncated, samples or displaced (docs/projection.md).
  std::string variance_update = "automatic";
  // First condition the field on being smooth along this axis, as if neighbours had this correlation.
  std::string smooth_axis = {};
  double smooth_correlation = 0;
};

// A deviation or a variance is needed. Samples may be left out (absent), unless the samples' covariance is
// used.
struct ProjectInputs {
  Input mean;
  Input deviation;
  Input samples;
  Input variance = {};  // instead of the deviation
};
struct ProjectOutputs {
  Output mean;
  Output deviation;
  Output samples;
  Output variance = {};
};

// What happened, per sample.
struct ProjectReport {
  std::vector<double> residual_before;  // largest |g.u - b| over the rows
  std::vector<double> residual_after;
  std::vector<double> variance_scale;  // by which overconfident variances were multiplied; of bounded ones
};

NOUQ_API void project(const Constraints& constraints, const ProjectInputs& prediction,
                      const ProjectOutputs& projected, const ProjectOptions& options = {},
                      ProjectReport* report = nullptr);

// What variance_update may be.
NOUQ_API std::vector<std::string> variance_updates();

// Weights of a quadrature rule on the points of an axis: "automatic" (what the kind of the axis asks for),
// "trapezoid", "simpson" or "midpoint".
NOUQ_API std::vector<double> quadrature_weights(const Axis& axis, const std::string& rule = "automatic");

}  // namespace nouq
