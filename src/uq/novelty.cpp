#include "uq/novelty.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "core/error.h"

namespace nouq {
namespace {

constexpr double shrinkage = 0.1;
constexpr double steepness = 10;

struct Range {
  double low = 0, high = 0;
};

// Least and greatest of every `step`-th value from `first`.
template <class T>
Range range_of(std::span<const T> values, std::size_t first, std::size_t step) {
  Range range{static_cast<double>(values[first]), static_cast<double>(values[first])};
  for (std::size_t i = first; i < values.size(); i += step) {
    const auto value = static_cast<double>(values[i]);
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range;
}

// 0 within [low, high], else 1 and ten times the part of the width that `seen` lies beyond it.
double outside_part(const Range& seen, double low, double high) {
  const double beyond = std::max(seen.high - high, low - seen.low);
  if (!(beyond > 0)) return 0;
  const double width = high - low, size = std::max(std::abs(low), std::abs(high));
  const double unit = width > 0 ? width : (size > 0 ? size : 1.0);
  return 1 + steepness * beyond / unit;
}

// As many digits, three at the least, as tell a value from the bound that it lies beyond.
int digits_between(double value, double bound) {
  int digits = 3;
  while (digits < 17 && fmt::format("{:.{}g}", value, digits) == fmt::format("{:.{}g}", bound, digits))
    ++digits;
  return digits;
}

std::string outside_text(const std::string& name, const Range& seen, double low, double high) {
  const bool above = seen.high - high > low - seen.low;
  const double value = above ? seen.high : seen.low;
  const int digits = digits_between(value, above ? high : low);
  const auto text = [&](double number) { return fmt::format("{:.{}g}", number, digits); };
  const std::string trained = low == high ? fmt::format("not {}, as in training", text(low))
                                          : fmt::format("outside {} to {}", text(low), text(high));
  if (seen.low == seen.high) return fmt::format("{} = {} is {}", name, text(value), trained);
  return fmt::format("{} reaches {}, {}", name, text(value), trained);
}

}  // namespace

Novelty::Novelty(const Surrogate& surrogate) : surrogate_(surrogate) {
  const auto found = surrogate.state.find("trust.training");
  if (found == surrogate.state.end()) return;
  const Array<double>& given = found->second;
  const Index size = 2 * surrogate.network.width;
  require(given.rank() == 2 && given.extent(0) >= 2 && given.extent(1) == size,
          "'trust.training' of shape {}: expected [two inputs or more, {}]", to_string(given.shape()), size);
  require(std::all_of(given.begin(), given.end(), [](double v) { return std::isfinite(v); }),
          "'trust.training' has values that are not finite numbers");
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Rows rows = Eigen::Map<const Rows>(given.data(), given.extent(0), size);
  const Eigen::RowVectorXd centre = rows.colwise().mean();
  const Rows centred = rows.rowwise() - centre;
  Eigen::MatrixXd metric = centred.transpose() * centred / static_cast<double>(given.extent(0) - 1);
  const double mean_variance = metric.trace() / static_cast<double>(size);
  if (!(mean_variance > 0) || !std::isfinite(mean_variance)) return;  // all the same: nothing to measure by
  metric *= (1 - shrinkage) / mean_variance;
  metric.diagonal().array() += shrinkage;
  const Rows factor = Eigen::LLT<Eigen::MatrixXd>(metric).matrixL();
  factor_.assign(factor.data(), factor.data() + factor.size());
  const double scale = 1 / std::sqrt(mean_variance);
  for (double& value : factor_) value /= scale;  // the factor of the metric itself
  centre_.assign(centre.data(), centre.data() + size);
  kept_.resize(given.size());
  for (Index i = 0; i < given.extent(0); ++i)
    whiten(given.span().subspan(i * size, size), std::span(kept_).subspan(i * size, size));
}

// Forward substitution: what comes out has the unit matrix for its covariance.
void Novelty::whiten(std::span<const double> pooled, std::span<double> out) const {
  const std::size_t size = centre_.size();
  for (std::size_t i = 0; i < size; ++i) {
    const double* row = factor_.data() + i * size;
    double sum = pooled[i] - centre_[i];
    for (std::size_t j = 0; j < i; ++j) sum -= row[j] * out[j];
    out[i] = sum / row[i];
  }
}

double Novelty::distance(std::span<const double> pooled, std::span<double> scratch) const {
  const std::size_t size = centre_.size();
  whiten(pooled, scratch);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at < kept_.size(); at += size) {
    double squares = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double difference = scratch[i] - kept_[at + i];
      squares += difference * difference;
    }
    nearest = std::min(nearest, squares);  // not a number stays out of it, and far away
  }
  return std::sqrt(nearest);
}

double Novelty::outside(std::span<const double> parameters, std::span<const float> inputs) const {
  double worst = 0;
  const Array<double>& known = surrogate_.parameter_range;
  for (std::size_t c = 0; c < parameters.size() && 2 * parameters.size() == known.span().size(); ++c)
    worst = std::max(
        worst, outside_part({parameters[c], parameters[c]}, known.span()[2 * c], known.span()[2 * c + 1]));
  const Array<double>& range = surrogate_.input_range;
  const std::size_t channels = surrogate_.input_channels.size();
  for (std::size_t c = 0; c < channels && !inputs.empty() && range.span().size() == 2 * channels; ++c)
    worst = std::max(
        worst, outside_part(range_of(inputs, c, channels), range.span()[2 * c], range.span()[2 * c + 1]));
  return worst;
}

std::vector<std::string> Novelty::outside_reasons(std::span<const double> parameters,
                                                  std::span<const float> inputs, double least) const {
  std::vector<std::pair<double, std::string>> found;
  const auto look = [&](const std::string& name, const Range& seen, double low, double high) {
    const double part = outside_part(seen, low, high);
    if (part > least) found.emplace_back(part, outside_text(name, seen, low, high));
  };
  const Array<double>& known = surrogate_.parameter_range;
  for (std::size_t c = 0; c < parameters.size() && 2 * parameters.size() == known.span().size(); ++c)
    look(surrogate_.parameter_names[c].name, {parameters[c], parameters[c]}, known.span()[2 * c],
         known.span()[2 * c + 1]);
  const Array<double>& range = surrogate_.input_range;
  const std::size_t channels = surrogate_.input_channels.size();
  // A parameter that is outside explains the inputs that were made of it.
  const bool explained = !found.empty();
  for (std::size_t c = 0;
       c < channels && !explained && !inputs.empty() && range.span().size() == 2 * channels; ++c)
    look(surrogate_.input_channels[c].name, range_of(inputs, c, channels), range.span()[2 * c],
         range.span()[2 * c + 1]);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  for (auto& [part, text] : found) texts.push_back(std::move(text));
  return texts;
}

}  // namespace nouq
