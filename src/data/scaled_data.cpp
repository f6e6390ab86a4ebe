#include "data/scaled_data.h"

#include <algorithm>
#include <vector>

#include "core/checksum.h"
#include "core/error.h"

namespace nouq {
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

void ScaledData::gather(std::span<const Index> samples, float* inputs, float* outputs) const {
  gather_field(data_->inputs, inputs_, samples, inputs);
  gather_field(data_->outputs, outputs_, samples, outputs);
}

}  // namespace nouq
