#include "api/expectation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nouq/prediction.h>
#include <nouq/random.h>

#include "core/error.h"

namespace nouq {
namespace {

constexpr Index at_a_time = 32;  // inputs that are predicted
constexpr Index sketch = 64;     // numbers of a channel

// Sums over one field, per channel.
struct FieldSums {
  double values = 0, squares = 0, variance = 0;
};
using InputSums = std::vector<std::vector<FieldSums>>;  // [inputs][channels]

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

// How much each channel varies over all inputs and points, squared; 1 where it does not.
std::vector<double> variations(const InputSums& fields, double points) {
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

// Sums of a field with random signs.
class Sketch {
 public:
  explicit Sketch(Index size) : signs_(static_cast<std::size_t>(size)) {
    const Stream stream(0, Purpose::sketch);
    for (std::size_t i = 0; i < signs_.size(); ++i) signs_[i] = stream.bits(i);
  }
  // Into [channels, sketch].
  void write(const double* field, Index channels, double* rows) const {
    for (std::size_t i = 0; i < signs_.size(); ++i) {
      double* row = rows + static_cast<Index>(i) % channels * sketch;
      std::uint64_t signs = signs_[i];
      for (Index k = 0; k < sketch; ++k, signs >>= 1U) row[k] += (signs & 1U) != 0 ? field[i] : -field[i];
    }
  }

 private:
  std::vector<std::uint64_t> signs_;
};

// Whether every input field is one number: then parameters say all of it.
bool constant_inputs(const DataSet& data) {
  const Index channels = data.inputs.shape().back(), size = data.inputs.size() / data.size();
  for (Index i = 0; i < data.inputs.size(); ++i)
    if (data.inputs[i] != data.inputs[i / size * size + i % channels]) return false;
  return true;
}

// Per channel in its unit, as a mean over points and channels.
void scale(const InputSums& fields, double points, Index channels, Expectation& result) {
  const std::vector<double> unit = variations(fields, points);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    double error = 0, size = 0;
    for (std::size_t c = 0; c < unit.size(); ++c) {
      const double share = points * unit[c] * static_cast<double>(channels);
      error += fields[i][c].variance / share;
      size += fields[i][c].squares / share;
    }
    require(std::isfinite(error) && std::isfinite(size),
            "candidate {}: its prediction is not a finite number", i);
    result.error.push_back(std::sqrt(error));
    result.size.push_back(std::sqrt(size));
  }
  for (Index i = 0; i < result.sketches.size(); ++i)
    result.sketches[i] /= std::sqrt(unit[static_cast<std::size_t>(i / sketch % channels)]);
}

}  // namespace

Expectation expectation_of(const Model& model, const DataSet& inputs, int threads) {
  const Index count = inputs.size(), channels = std::ssize(model.outputs());
  const Index points = element_count(shape_of(inputs.grid)), size = points * channels;
  const bool by_parameters = !inputs.parameters.empty() && constant_inputs(inputs);
  const Sketch signs(size);
  Expectation result;
  InputSums fields;
  result.sketches = Array<double>({count, channels * sketch});
  if (by_parameters) result.places = inputs.parameters;
  for (Index first = 0; first < count; first += at_a_time) {
    const DataSet some = select(inputs, run_of(first, std::min(at_a_time, count - first)));
    Prediction p = predict(model, some, {false, threads});
    const std::vector<Trust> judged = trust(model, some, p);
    size_by_law(model, some, p);
    if (!by_parameters && first == 0) result.places = Array<double>({count, p.pooled.extent(1)});
    for (Index i = 0; i < some.size(); ++i) {
      fields.push_back(sums_of(p, i, channels));
      signs.write(p.mean.data() + i * size, channels, result.sketches.row(first + i).data());
      const Trust* own = judged.empty() ? nullptr : &judged[static_cast<std::size_t>(i)];
      result.doubt.push_back(own != nullptr ? std::max(1.0, own->score) : 1.0);
      result.verdicts.push_back(own != nullptr ? own->verdict : Verdict::in_domain);
      if (!by_parameters)
        std::copy_n(p.pooled.row(i).data(), p.pooled.extent(1), result.places.row(first + i).data());
    }
  }
  scale(fields, static_cast<double>(points), channels, result);
  return result;
}

}  // namespace nouq
