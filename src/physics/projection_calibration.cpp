#include "physics/projection_calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "metrics/metric.h"
#include "physics/law_sizing.h"

namespace nouq {
namespace {

constexpr Index chunk = 64;  // samples: bounds and projections of all would take several times the data
constexpr std::array<double, 12> noise_factors = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 1e3, 1e4, 1e6};
constexpr std::array<double, 5> sigma_powers = {0, 0.5, 1, 1.5, 2};
constexpr double good_enough = 1.02;
constexpr Index columns = 4;  // of the table of sizes
const std::array banded = {ProjectionKind::diagonal, ProjectionKind::low_rank, ProjectionKind::bounded};

// Some samples of a prediction.
Prediction rows_of(const Prediction& prediction, const std::vector<Index>& rows) {
  const auto part = [&](const Array<double>& from) {
    if (from.empty()) return Array<double>{};
    Shape shape = from.shape();
    const Index size = from.size() / shape[0];
    shape[0] = std::ssize(rows);
    Array<double> to(shape);
    for (Index i = 0; i < std::ssize(rows); ++i)
      std::copy_n(from.data() + rows[i] * size, size, to.data() + i * size);
    return to;
  };
  return {part(prediction.mean), part(prediction.variance), part(prediction.samples)};
}

// body(data, rows) for samples behind each other, some at a time.
template <class Body>
void in_chunks(const DataSet& data, Body&& body) {
  for (Index first = 0; first < data.size(); first += chunk) {
    std::vector<Index> rows(std::min(chunk, data.size() - first));
    std::iota(rows.begin(), rows.end(), first);
    body(select(data, rows), rows);
  }
}

Array<double> scaled(Array<double> noise_variance, double factor) {
  for (double& row : noise_variance) row *= factor;
  return noise_variance;
}

// Of many held-out samples some, evenly spread: projections of all would take as much memory again as the
// data.
constexpr Index enough = 128;

struct Some {
  DataSet data;
  Prediction prediction;
};

Some some_of(const DataSet& held_out, const Prediction& prediction) {
  std::vector<Index> rows(enough);
  for (Index i = 0; i < enough; ++i) rows[i] = i * held_out.size() / enough;
  return {select(held_out, rows), rows_of(prediction, rows)};
}

// Mean squared errors of projected predictions, by power and factor.
using Errors = std::array<std::array<double, noise_factors.size()>, sigma_powers.size()>;

Errors projected_errors(const Array<double>& noise_variance, const DataSet& held_out,
                        const Prediction& prediction, int threads) {
  Errors errors{};
  in_chunks(held_out, [&](const DataSet& part, const std::vector<Index>& rows) {
    const Physics physics = physics_of(part);
    Prediction before = rows_of(prediction, rows);
    before.samples = {};
    const Array<double> truth = truth_of(part);
    const double share = static_cast<double>(part.size()) / static_cast<double>(held_out.size());
    for (std::size_t p = 0; p < sigma_powers.size(); ++p) {
      for (std::size_t k = 0; k < noise_factors.size(); ++k) {
        const LawUse use{scaled(noise_variance, noise_factors.at(k)), sigma_powers.at(p)};
        const Prediction after =
            project({ProjectionKind::bounded, {}, threads}, physics, part.grid, use, before);
        errors.at(p).at(k) +=
            share * metrics::mse({after.mean.view(), after.variance.view(), truth.view(), {}}).value;
      }
    }
  });
  return errors;
}

// The first that is good enough.
template <class List>
std::size_t first_within(const List& errors, double best) {
  const auto found =
      std::find_if(errors.begin(), errors.end(), [&](double error) { return error <= good_enough * best; });
  return found == errors.end() ? 0 : static_cast<std::size_t>(found - errors.begin());
}

std::string size_name(ProjectionKind kind) { return "sizing.after." + std::string(name(kind)); }
std::string rows_name(ProjectionKind kind) { return "sizing.rows." + std::string(name(kind)); }
std::string bands_name(ProjectionKind kind) { return "conformal.after." + std::string(name(kind)); }

const std::string errors_name = "sizing.rms";

const Array<double>& size_table(const Surrogate& surrogate, ProjectionKind kind) {
  const Array<double>& table = state_array(surrogate, size_name(kind));
  require(table.shape() == Shape{surrogate.channels(), columns}, "'{}' of shape {}: expected [{}, {}]",
          size_name(kind), to_string(table.shape()), surrogate.channels(), columns);
  return table;
}

bool is_possible(ProjectionKind kind, const Physics& physics, bool samples) {
  if (kind == ProjectionKind::none || (needs_law(kind) && !physics.has_law())) return false;
  if (kind == ProjectionKind::low_rank && !samples) return false;
  const bool clips = kind == ProjectionKind::clip || kind == ProjectionKind::diagonal_clip;
  return physics.has_bounds() || (physics.has_law() && !clips);
}

// The projected prediction of held-out samples, with the variance as the projection gives it.
Prediction projected(ProjectionKind kind, const DataSet& held_out, const Prediction& prediction, int threads,
                     const Surrogate& surrogate) {
  Prediction all{Array<double>(prediction.mean.shape()), Array<double>(prediction.mean.shape()), {}};
  const LawUse use = law_use_of(surrogate);
  in_chunks(held_out, [&](const DataSet& part, const std::vector<Index>& rows) {
    Prediction before = rows_of(prediction, rows);
    if (uses_samples(kind) && before.samples.empty())
      before.samples = predict(surrogate, part.inputs.view(), {true, threads}).samples;
    if (kind != ProjectionKind::bounded) size_by_law(surrogate, part, before);
    const Prediction after =
        project({kind, {}, threads}, physics_of(surrogate, part), part.grid, use, before);
    const Index at = rows.front() * (all.mean.size() / held_out.size());
    std::copy(after.mean.begin(), after.mean.end(), all.mean.data() + at);
    std::copy(after.variance.begin(), after.variance.end(), all.variance.data() + at);
  });
  return all;
}

// Root mean square errors of each channel.
std::vector<double> errors_of(const Array<double>& mean, const Array<double>& truth) {
  const Index channels = mean.shape().back();
  std::vector<double> sums(channels);
  for (Index i = 0; i < mean.size(); ++i) {
    const double error = mean[i] - truth[i];
    sums[i % channels] += error * error;
  }
  for (double& sum : sums)
    sum = std::sqrt(sum * static_cast<double>(channels) / static_cast<double>(mean.size()));
  return sums;
}

void store_size(const Sizing& sizing, const std::vector<double>& errors, ProjectionKind kind, Index rows,
                Surrogate& surrogate) {
  Array<double> table({std::ssize(sizing.scale), columns});
  for (std::size_t c = 0; c < sizing.scale.size(); ++c) {
    double* row = table.data() + columns * c;
    row[0] = sizing.scale[c], row[1] = sizing.floor[c], row[2] = sizing.error[c], row[3] = errors[c];
  }
  surrogate.state[size_name(kind)] = std::move(table);
  surrogate.state[rows_name(kind)] = number(static_cast<double>(rows));
}

void calibrate_one(ProjectionKind kind, const CalibrationOptions& options, const DataSet& held_out,
                   Index rows, Prediction after, const Array<double>& truth, Surrogate& surrogate) {
  const Sizing sizing = calibrate_sizing(after.mean.view(), after.variance.view(), truth.view());
  size_variance(sizing, {after.mean.size(), after.mean.data(), after.variance.data()});
  store_size(sizing, errors_of(after.mean, truth), kind, rows, surrogate);
  if (options.coverage <= 0 || held_out.size() < 2 ||
      std::find(banded.begin(), banded.end(), kind) == banded.end())
    return;
  const auto form = options.pointwise ? ConformalKind::pointwise : ConformalKind::whole_field;
  store(calibrate_conformal(form, options.coverage, after.mean.view(), after.variance.view(), truth.view()),
        surrogate, bands_name(kind));
}

}  // namespace

LawUse chosen_law_use(const Array<double>& noise_variance, const DataSet& held_out,
                      const Prediction& prediction, int threads) {
  if (noise_variance.empty()) return {};
  if (held_out.size() > enough) {
    const Some some = some_of(held_out, prediction);
    return chosen_law_use(noise_variance, some.data, some.prediction, threads);
  }
  const LinearConstraints law = physics_of(select(held_out, {0})).constraints;
  if (law.rows() != noise_variance.size()) return {noise_variance};  // no law to try it on, or other times
  const Errors errors = projected_errors(noise_variance, held_out, prediction, threads);
  std::array<double, sigma_powers.size()> best{};
  for (std::size_t p = 0; p < best.size(); ++p)
    best.at(p) = *std::min_element(errors.at(p).begin(), errors.at(p).end());
  const std::size_t p = first_within(best, *std::min_element(best.begin(), best.end()));
  const std::size_t k = first_within(errors.at(p), best.at(p));
  return {scaled(noise_variance, noise_factors.at(k)), sigma_powers.at(p)};
}

void calibrate_projections(const CalibrationOptions& options, const DataSet& held_out,
                           const Prediction& prediction, int threads, Surrogate& surrogate) {
  if (held_out.size() > enough) {
    const Some some = some_of(held_out, prediction);
    return calibrate_projections(options, some.data, some.prediction, threads, surrogate);
  }
  std::erase_if(surrogate.state, [](const auto& entry) {
    return entry.first.starts_with("sizing.after.") || entry.first.starts_with("sizing.rows.") ||
           entry.first.starts_with("conformal.after.");
  });
  surrogate.state.erase(errors_name);
  if (!options.sizing) return;
  const std::vector<double> errors = errors_of(prediction.mean, truth_of(held_out));
  surrogate.state[errors_name] = Array<double>({std::ssize(errors)}, errors);
  const Physics physics = physics_of(surrogate, select(held_out, {0}));
  const bool samples = !prediction.samples.empty() ||
                       !predict(surrogate, select(held_out, {0}).inputs.view(), {true, 1}).samples.empty();
  const Array<double> truth = truth_of(held_out);
  for (const std::string& one : projection_names()) {
    const ProjectionKind kind = projection_from_name(one);
    if (!is_possible(kind, physics, samples)) continue;
    calibrate_one(kind, options, held_out, physics.constraints.rows(),
                  projected(kind, held_out, prediction, threads, surrogate), truth, surrogate);
  }
}

bool has_size_after(const Surrogate& surrogate, const ProjectionChoice& choice, Index rows) {
  if (choice.noise_variance || !surrogate.state.contains(size_name(choice.kind))) return false;
  return state_number(surrogate, rows_name(choice.kind)) == static_cast<double>(rows);
}

bool sized_by_law_before(const Surrogate& surrogate, const ProjectionChoice& choice, Index rows) {
  return choice.kind != ProjectionKind::bounded || !has_size_after(surrogate, choice, rows);
}

Sizing sizing_after(const Surrogate& surrogate, ProjectionKind kind) {
  Sizing sizing;
  if (!surrogate.state.contains(size_name(kind))) return sizing;
  const Array<double>& table = size_table(surrogate, kind);
  for (Index c = 0; c < surrogate.channels(); ++c) {
    const double scale = table[columns * c], floor = table[columns * c + 1];
    require(std::isfinite(scale) && scale > 0 && std::isfinite(floor) && floor >= 0,
            "'{}' has scale {} and floor {}: expected a positive number and one of at least 0",
            size_name(kind), scale, floor);
    sizing.scale.push_back(scale);
    sizing.floor.push_back(floor);
    sizing.error.push_back(table[columns * c + 2]);
  }
  return sizing;
}

std::vector<double> held_out_errors(const Surrogate& surrogate, ProjectionKind kind) {
  const bool plain = kind == ProjectionKind::none;
  require(surrogate.state.contains(plain ? errors_name : size_name(kind)),
          "the model keeps no held-out errors {}: train it again, with two held-out samples or more",
          plain ? "of its predictions" : fmt::format("after the projection {}", name(kind)));
  const Array<double>& table = plain ? state_array(surrogate, errors_name) : size_table(surrogate, kind);
  require(!plain || table.shape() == Shape{surrogate.channels()}, "'{}' of shape {}: expected [{}]",
          errors_name, to_string(table.shape()), surrogate.channels());
  std::vector<double> errors;
  for (Index c = 0; c < surrogate.channels(); ++c) {
    const double error = plain ? table[c] : table[columns * c + 3];
    require(std::isfinite(error) && error >= 0, "held-out error {}: expected a number of at least 0", error);
    errors.push_back(error);
  }
  return errors;
}

void size_after(const Surrogate& surrogate, const ProjectionChoice& choice, Index rows,
                Prediction& projected) {
  if (!has_size_after(surrogate, choice, rows)) return;
  size_variance(sizing_after(surrogate, choice.kind),
                {projected.mean.size(), projected.mean.data(), projected.variance.data()});
  const auto bands = bands_after(surrogate, choice.kind);
  if (bands && fits(*bands, surrogate, projected.mean.shape()))
    projected.band = half_width(*bands, projected.variance.view());
}

std::optional<Conformal> bands_after(const Surrogate& surrogate, ProjectionKind kind) {
  if (!has_conformal(surrogate, bands_name(kind))) return std::nullopt;
  return conformal_of(surrogate, bands_name(kind));
}

}  // namespace nouq
