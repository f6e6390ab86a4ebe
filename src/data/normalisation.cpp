#include "data/normalisation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/checksum.h"
#include "core/error.h"

namespace nouq {
namespace {

// op(value, channel) for every value of a field [..., channels].
template <class Field, class Operation>
void for_each_value(const Field& field, std::size_t channels, Operation&& operation) {
  const auto values = field.span();
  for (std::size_t start = 0; start < values.size(); start += channels) {
    for (std::size_t c = 0; c < channels; ++c) operation(values[start + c], c);
  }
}

}  // namespace

Normalisation::Normalisation(std::vector<double> mean, std::vector<double> deviation)
    : mean_(std::move(mean)), deviation_(std::move(deviation)) {
  require(mean_.size() == deviation_.size(), "normalisation has {} means but {} deviations", mean_.size(),
          deviation_.size());
  for (std::size_t c = 0; c < mean_.size(); ++c) {
    require(std::isfinite(mean_[c]) && std::isfinite(deviation_[c]) && deviation_[c] > 0,
            "normalisation of channel {}: mean {} and deviation {} must be finite, the deviation positive", c,
            mean_[c], deviation_[c]);
  }
}

Normalisation Normalisation::per_channel(const ArrayView<const float>& field) {
  require(!field.empty(), "normalisation cannot be fitted to an empty field of shape {}",
          to_string(field.shape()));
  const std::size_t channels = field.shape().back();
  const double count = static_cast<double>(field.size()) / static_cast<double>(channels);
  // Two passes: the sum of squares about the mean does not cancel.
  std::vector<double> mean(channels, 0.0);
  for_each_value(field, channels, [&](float x, std::size_t c) { mean[c] += x; });
  for (double& m : mean) m /= count;
  std::vector<double> deviation(channels, 0.0);
  std::vector<bool> varies(channels, false);  // the rounding of a mean must not pass for a deviation
  for_each_value(field, channels, [&](float x, std::size_t c) {
    deviation[c] += (x - mean[c]) * (x - mean[c]);
    if (x != field[c]) varies[c] = true;
  });
  for (std::size_t c = 0; c < channels; ++c) deviation[c] = varies[c] ? std::sqrt(deviation[c] / count) : 1.0;
  return {std::move(mean), std::move(deviation)};
}

std::vector<double> channel_units(const Array<float>& field) {
  const auto channels = static_cast<std::size_t>(field.shape().back());
  if (channels == 1) return {1.0};
  std::vector<double> unit(channels, 0.0);
  for_each_value(field.view(), channels,
                 [&](float x, std::size_t c) { unit[c] += static_cast<double>(x) * x; });
  const double each = static_cast<double>(field.size()) / static_cast<double>(channels);
  for (double& u : unit) u = u > 0 ? std::sqrt(u / each) : 1.0;
  return unit;
}

void Normalisation::require_channels(const ArrayView<const float>& field) const {
  require(field.rank() > 0 && field.shape().back() == std::ssize(mean_),
          "normalisation of {} channels cannot be used on a field of shape {}", mean_.size(),
          to_string(field.shape()));
}

void Normalisation::apply(const ArrayView<float>& field) const {
  if (is_none()) return;
  require_channels(field);
  for_each_value(field, mean_.size(),
                 [&](float& x, std::size_t c) { x = static_cast<float>((x - mean_[c]) / deviation_[c]); });
}

void Normalisation::invert(const ArrayView<float>& field) const {
  if (is_none()) return;
  require_channels(field);
  for_each_value(field, mean_.size(),
                 [&](float& x, std::size_t c) { x = static_cast<float>(x * deviation_[c] + mean_[c]); });
}

void Normalisation::invert_variance(const ArrayView<float>& variance) const {
  if (is_none()) return;
  require_channels(variance);
  for_each_value(variance, mean_.size(),
                 [&](float& x, std::size_t c) { x = static_cast<float>(x * deviation_[c] * deviation_[c]); });
}

namespace {

void require_channels(const Normalisation& normalisation, const Array<float>& field, const char* name) {
  require(normalisation.is_none() ||
              (field.rank() > 0 && std::ssize(normalisation.mean()) == field.shape().back()),
          "{} of shape {} cannot be scaled by a normalisation of {} channels", name, to_string(field.shape()),
          normalisation.mean().size());
}

// As checksum() of the scaled array, which is never there as a whole.
std::uint64_t scaled_checksum(const Array<float>& array, const Normalisation& normalisation,
                              std::uint64_t before) {
  if (normalisation.is_none()) return checksum(array, before);
  std::uint64_t crc = crc64(std::as_bytes(std::span(array.shape())), before);
  const Index channels = array.shape().back();
  const Index piece = std::max<Index>(1, (Index{1} << 16U) / channels) * channels;
  std::vector<float> values;
  for (Index first = 0; first < array.size(); first += piece) {
    const Index count = std::min(piece, array.size() - first);
    values.assign(array.data() + first, array.data() + first + count);
    normalisation.apply({values.data(), {count / channels, channels}});
    crc = crc64(std::as_bytes(std::span(values)), crc);
  }
  return crc;
}

void gather_field(const Array<float>& field, const Normalisation& normalisation,
                  std::span<const Index> samples, float* to) {
  const Index size = field.size() / std::max<Index>(1, field.extent(0)), channels = field.shape().back();
  float* next = to;
  for (const Index sample : samples) next = std::copy_n(field.data() + sample * size, size, next);
  normalisation.apply({to, {(next - to) / channels, channels}});
}

}  // namespace

std::uint64_t checksum(const Array<float>& array, std::uint64_t before) {
  return crc64(std::as_bytes(array.span()), crc64(std::as_bytes(std::span(array.shape())), before));
}

std::string data_fingerprint(const DataSet& data) {
  return fmt::format("{:016x}", checksum(data.outputs, checksum(data.inputs, 0)));
}

ScaledData::ScaledData(const DataSet& data) : ScaledData(data, {}, {}) {}

ScaledData::ScaledData(const DataSet& data, Normalisation inputs, Normalisation outputs)
    : data_(&data), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
  require_channels(inputs_, data.inputs, "inputs");
  require_channels(outputs_, data.outputs, "outputs");
  fingerprint_ = fmt::format(
      "{:016x}", scaled_checksum(data.outputs, outputs_, scaled_checksum(data.inputs, inputs_, 0)));
}

void ScaledData::gather_inputs(std::span<const Index> samples, float* inputs) const {
  gather_field(data_->inputs, inputs_, samples, inputs);
}

void ScaledData::gather(std::span<const Index> samples, float* inputs, float* outputs) const {
  gather_inputs(samples, inputs);
  gather_field(data_->outputs, outputs_, samples, outputs);
}

}  // namespace nouq
