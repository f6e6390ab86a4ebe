#include <algorithm>
#include <cmath>
#include <numeric>

#include <nouq/random.h>
#include <nouq/suggest.h>

#include "api/expectation.h"
#include "core/error.h"
#include "core/names.h"
#include "core/sobol.h"

namespace nouq {
namespace {

constexpr Index most_candidates = 4096;  // a matrix of their covariances is held

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

double squared_distance(const Array<double>& rows, Index a, Index b) {
  const Index columns = rows.extent(1);
  double sum = 0;
  for (Index c = 0; c < columns; ++c) {
    const double d = rows[a * columns + c] - rows[b * columns + c];
    sum += d * d;
  }
  return sum;
}

// Squared distances of all from all, [n, n], their median 1.
std::vector<double> distances(const Array<double>& rows) {
  const Index count = rows.extent(0);
  std::vector<double> all(static_cast<std::size_t>(count * count)), below;
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      all[i * count + j] = squared_distance(rows, i, j);
      if (j < i) below.push_back(all[i * count + j]);
    }
  }
  if (below.empty()) return all;
  const auto middle = below.begin() + std::ssize(below) / 2;
  std::nth_element(below.begin(), middle, below.end());
  for (double& d : all) d = *middle > 0 ? d / *middle : 0.0;
  return all;
}

// The errors at all candidates and runs, as jointly normal numbers.
class Errors {
 public:
  // Covariances sqrt(e_i e_j) exp(-d^2 / (2 l^2)), e the relative error that is expected: their variances are
  // what is to be made small, where the squares of a model's own sigma would chase what it is least sure of.
  explicit Errors(Expectation& expected) : count_(std::ssize(expected.error)) {
    scale(expected.places);
    const std::vector<double> near = distances(expected.places), alike = distances(expected.sketches);
    matrix_.resize(near.size());
    const auto root = [&](Index i) {
      return expected.size[i] > 0 ? std::sqrt(expected.error[i] * expected.doubt[i] / expected.size[i]) : 0.0;
    };
    for (Index i = 0; i < count_; ++i) {
      for (Index j = 0; j < count_; ++j) {
        const double d = (near[i * count_ + j] + alike[i * count_ + j]) / 2;
        matrix_[i * count_ + j] = root(i) * root(j) * std::exp(-d / (2 * length * length));
      }
    }
  }

  // The sum of variances of the first `count`.
  [[nodiscard]] double whole(Index count) const {
    double sum = 0;
    for (Index i = 0; i < count; ++i) sum += matrix_[i * count_ + i];
    return sum;
  }
  // What a run at j takes from the sum of the variances of the first `count`.
  [[nodiscard]] double gain(Index j, Index count, double least) const {
    const double own = matrix_[j * count_ + j];
    if (!(own > least)) return 0;
    double sum = 0;
    for (Index i = 0; i < count; ++i) sum += matrix_[j * count_ + i] * matrix_[j * count_ + i];
    return sum / own;
  }
  // A run at j is done: its error is known.
  void know(Index j, double least) {
    const std::vector<double> row(matrix_.begin() + j * count_, matrix_.begin() + (j + 1) * count_);
    if (!(row[j] > least)) return;
    for (Index i = 0; i < count_; ++i) {
      const double factor = row[i] / row[j];
      for (Index k = 0; k < count_; ++k) matrix_[i * count_ + k] -= factor * row[k];
    }
  }

 private:
  static constexpr double length = 0.5;
  Index count_;
  std::vector<double> matrix_;
};

// Inputs of the candidates, and behind them those of the runs that are there.
DataSet with_runs(const DataSet& candidates, const DataSet* runs) {
  DataSet all = candidates;
  all.outputs = {};
  if (runs == nullptr) return all;
  all.constraint_values.clear();  // of the candidates alone
  const auto append = [](auto& to, const auto& from) {
    Shape shape = to.shape();
    shape.front() += from.extent(0);
    std::remove_reference_t<decltype(to)> joined(shape);
    std::copy(from.begin(), from.end(), std::copy(to.begin(), to.end(), joined.begin()));
    to = std::move(joined);
  };
  append(all.inputs, runs->inputs);
  if (all.parameters.empty()) return all;
  const Index columns = all.parameters.extent(1);
  require(columns * runs->size() == runs->parameters.size(),
          "the runs that are there have parameters of shape {}, expected [{}, {}]",
          to_string(runs->parameters.shape()), runs->size(), columns);
  append(all.parameters, runs->parameters);
  return all;
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
  Expectation expected = expectation_of(model, with_runs(candidates, settings.runs), settings.threads);
  Errors errors(expected);
  const double whole = errors.whole(count), least = 1e-9 * whole / static_cast<double>(count);
  for (Index i = count; i < std::ssize(expected.error); ++i) errors.know(i, least);
  std::vector<Suggestion> result;
  std::vector<bool> taken(static_cast<std::size_t>(count), false);
  for (Index n = 0; n < settings.count; ++n) {
    Index best = -1;
    double most = -1;
    for (Index j = 0; j < count; ++j) {
      const double gain = taken[j] ? -1 : errors.gain(j, count, least);
      if (gain > most) {
        most = gain;
        best = j;
      }
    }
    taken[best] = true;
    result.push_back({best, expected.error[best] * expected.doubt[best], whole > 0 ? most / whole : 0,
                      expected.verdicts[best]});
    errors.know(best, least);
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
