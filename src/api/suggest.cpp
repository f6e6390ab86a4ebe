#include <algorithm>
#include <cmath>
#include <numeric>

#include <nouq/prediction.h>
#include <nouq/random.h>
#include <nouq/suggest.h>

#include "core/error.h"
#include "core/names.h"
#include "core/sobol.h"

namespace nouq {
namespace {

constexpr Index most_candidates = 4096;  // a matrix of their covariances is held
constexpr Index at_a_time = 32;          // candidates that are predicted

// What predictions say of the candidates.
struct Expectation {
  std::vector<double> squared;  // expected error of each
  std::vector<Verdict> verdicts;
  Array<double> places;  // [candidates, coordinates], by which they are near or far
};

// Sums over one field, per channel.
struct FieldSums {
  double values = 0, squares = 0, variance = 0;
};

std::vector<FieldSums> sums_of(const Prediction& p, Index sample, Index channels) {
  std::vector<FieldSums> sums(static_cast<std::size_t>(channels));
  const Index size = p.mean.size() / p.mean.extent(0);
  for (Index i = 0; i < size; ++i) {
    FieldSums& own = sums[static_cast<std::size_t>(i % channels)];
    const double mean = p.mean[sample * size + i];
    own.values += mean;
    own.squares += mean * mean;
    own.variance += p.variance[sample * size + i];
  }
  return sums;
}

// How much each channel varies over all candidates and points, squared; 1 where it does not.
std::vector<double> variations(const std::vector<std::vector<FieldSums>>& fields, double points) {
  std::vector<double> result(fields.front().size());
  const double count = points * static_cast<double>(fields.size());
  for (std::size_t c = 0; c < result.size(); ++c) {
    double values = 0, squares = 0;
    for (const auto& field : fields) {
      values += field[c].values;
      squares += field[c].squares;
    }
    const double variation = squares / count - (values / count) * (values / count);
    result[c] = variation > 1e-12 * squares / count ? variation : 1.0;
  }
  return result;
}

std::vector<Index> run_of(Index first, Index count) {
  std::vector<Index> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), first);
  return list;
}

Expectation expectation_of(const Model& model, const DataSet& candidates, int threads) {
  const Index count = candidates.size(), channels = std::ssize(model.outputs());
  Expectation result;
  std::vector<std::vector<FieldSums>> fields;
  std::vector<double> doubt;
  const bool by_parameters = !candidates.parameters.empty();
  if (by_parameters) result.places = candidates.parameters;
  for (Index first = 0; first < count; first += at_a_time) {
    const DataSet some = select(candidates, run_of(first, std::min(at_a_time, count - first)));
    Prediction p = predict(model, some, {false, threads});
    const std::vector<Trust> judged = trust(model, some, p);
    size_by_law(model, some, p);
    if (!by_parameters && first == 0) result.places = Array<double>({count, p.pooled.extent(1)});
    for (Index i = 0; i < some.size(); ++i) {
      fields.push_back(sums_of(p, i, channels));
      doubt.push_back(judged.empty() ? 1.0 : std::max(1.0, judged[static_cast<std::size_t>(i)].score));
      result.verdicts.push_back(judged.empty() ? Verdict::in_domain
                                               : judged[static_cast<std::size_t>(i)].verdict);
      if (!by_parameters)
        std::copy_n(p.pooled.row(i).data(), p.pooled.extent(1), result.places.row(first + i).data());
    }
  }
  const double points = static_cast<double>(element_count(shape_of(candidates.grid)));
  const std::vector<double> unit = variations(fields, points);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    double squared = 0;
    for (std::size_t c = 0; c < unit.size(); ++c)
      squared += fields[i][c].variance / (points * unit[c] * static_cast<double>(unit.size()));
    require(std::isfinite(squared), "candidate {}: its prediction is not a finite number", i);
    result.squared.push_back(squared * doubt[i] * doubt[i]);
  }
  return result;
}

// Each coordinate from 0 to 1; one that does not vary tells nothing.
void scale(Array<double>& places) {
  const Index count = places.extent(0), columns = places.extent(1);
  for (Index c = 0; c < columns; ++c) {
    double low = places[c], high = places[c];
    for (Index i = 0; i < count; ++i) {
      low = std::min(low, places[i * columns + c]);
      high = std::max(high, places[i * columns + c]);
    }
    for (Index i = 0; i < count; ++i)
      places[i * columns + c] = high > low ? (places[i * columns + c] - low) / (high - low) : 0.0;
  }
}

double squared_distance(const Array<double>& places, Index a, Index b) {
  const Index columns = places.extent(1);
  double sum = 0;
  for (Index c = 0; c < columns; ++c) {
    const double d = places[a * columns + c] - places[b * columns + c];
    sum += d * d;
  }
  return sum;
}

// Covariances of the errors: g_i g_j exp(-d^2 / (2 l^2)), with half the median distance as l.
std::vector<double> covariances(const Expectation& expected) {
  const auto count = std::ssize(expected.squared);
  std::vector<double> matrix(static_cast<std::size_t>(count * count)), distances;
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      matrix[i * count + j] = squared_distance(expected.places, i, j);
      if (j < i) distances.push_back(matrix[i * count + j]);
    }
  }
  double median = 0;
  if (!distances.empty()) {
    const auto middle = distances.begin() + std::ssize(distances) / 2;
    std::nth_element(distances.begin(), middle, distances.end());
    median = *middle;
  }
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      double& c = matrix[i * count + j];
      const double similar = c == 0 ? 1.0 : median > 0 ? std::exp(-2 * c / median) : 0.0;
      c = similar * std::sqrt(expected.squared[i] * expected.squared[j]);
    }
  }
  return matrix;
}

// What a run at j takes from the sum of squared errors.
double gain_of(const std::vector<double>& matrix, Index count, Index j, double least) {
  if (!(matrix[j * count + j] > least)) return 0;
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += matrix[j * count + i] * matrix[j * count + i];
  return sum / matrix[j * count + j];
}

void condition(std::vector<double>& matrix, Index count, Index j) {
  const std::vector<double> row(matrix.begin() + j * count, matrix.begin() + (j + 1) * count);
  for (Index i = 0; i < count; ++i) {
    const double factor = row[i] / row[j];
    for (Index k = 0; k < count; ++k) matrix[i * count + k] -= factor * row[k];
  }
}

const AskedRange& range_of(const InputParameter& parameter, const std::vector<AskedRange>& ranges) {
  const auto found = std::find_if(ranges.begin(), ranges.end(), [&](const AskedRange& r) {
    return r.name == parameter.name || r.name == parameter.symbol;
  });
  require(found != ranges.end(),
          "ranges: none for the parameter {}; the model was trained on {:.6g} to {:.6g}", parameter.symbol,
          parameter.trained.low, parameter.trained.high);
  require(found->low < found->high, "range of {}: {} to {}, expected the lower end first", found->name,
          found->low, found->high);
  return *found;
}

}  // namespace

std::vector<Suggestion> suggest(const Model& model, const DataSet& candidates,
                                const SuggestSettings& settings) {
  const Index count = candidates.size();
  require(count >= 1 && count <= most_candidates, "{} candidates: expected 1 to {}", count, most_candidates);
  require(settings.count >= 1 && settings.count <= count, "{} suggestions of {} candidates: expected 1 to {}",
          settings.count, count, count);
  Expectation expected = expectation_of(model, candidates, settings.threads);
  scale(expected.places);
  std::vector<double> matrix = covariances(expected);
  const double whole = std::accumulate(expected.squared.begin(), expected.squared.end(), 0.0);
  const double least = 1e-9 * whole / static_cast<double>(count);
  std::vector<Suggestion> result;
  std::vector<bool> taken(static_cast<std::size_t>(count), false);
  for (Index n = 0; n < settings.count; ++n) {
    Index best = -1;
    double most = -1;
    for (Index j = 0; j < count; ++j) {
      const double gain = taken[j] ? -1 : gain_of(matrix, count, j, least);
      if (gain > most) {
        most = gain;
        best = j;
      }
    }
    taken[best] = true;
    result.push_back(
        {best, std::sqrt(expected.squared[best]), whole > 0 ? most / whole : 0, expected.verdicts[best]});
    if (most > 0) condition(matrix, count, best);
  }
  return result;
}

std::vector<std::string> design_names() { return {"sobol", "random"}; }

Array<double> points_in(const InputParameters& parameters, const std::vector<AskedRange>& ranges, Index count,
                        const std::string& design, std::uint64_t seed) {
  const bool sobol = index_of_name("design", design, design_names()) == 0;
  const auto columns = std::ssize(parameters.list());
  require(count >= 1 && count <= 1'000'000, "{} points: expected 1 to 1000000", count);
  require(std::ssize(ranges) <= columns, "{} ranges for {} parameters", ranges.size(), columns);
  Array<double> points({count, columns});
  for (Index i = 0; i < count; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const std::vector<double> at = sobol ? sobol_point(columns, index, seed) : std::vector<double>();
    const Stream stream(seed, Purpose::parameters, index);
    for (Index c = 0; c < columns; ++c) {
      const AskedRange& range = range_of(parameters.list()[static_cast<std::size_t>(c)], ranges);
      const double share =
          sobol ? at[static_cast<std::size_t>(c)] : stream.uniform(static_cast<std::uint64_t>(c));
      points[i * columns + c] = range.low + (range.high - range.low) * share;
    }
  }
  return points;
}

}  // namespace nouq
