// Scaling channels to mean zero and standard deviation one.
//
// Why: channels of very different size train badly. The paper normalises nothing, so the default does
// nothing. When: fit on the training samples alone, then apply to every set; a saved model carries it.
// Contract: x becomes (x - mean) / deviation, per channel, computed in double and rounded once; `invert`
// undoes it up to float rounding. A channel that does not vary is only shifted (its deviation counts as 1).
#pragma once

#include <span>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/data.h>

namespace nouq {

class Normalisation {
 public:
  // None: apply and invert do nothing.
  Normalisation() = default;
  // Per channel; throws unless the lists are equally long, finite, and deviations positive.
  Normalisation(std::vector<double> mean, std::vector<double> deviation);
  // Mean and standard deviation (over all samples and points) of every channel of a field
  // [..., channels]. Throws when the field is empty.
  static Normalisation per_channel(const ArrayView<const float>& field);

  [[nodiscard]] bool is_none() const { return mean_.empty(); }
  [[nodiscard]] const std::vector<double>& mean() const { return mean_; }
  [[nodiscard]] const std::vector<double>& deviation() const { return deviation_; }

  // In place on a field [..., channels]; throws when the number of channels differs.
  void apply(const ArrayView<float>& field) const;
  void invert(const ArrayView<float>& field) const;
  // Variances scale with the square of the deviation and do not shift.
  void invert_variance(const ArrayView<float>& variance) const;

  friend bool operator==(const Normalisation&, const Normalisation&) = default;

 private:
  void require_channels(const ArrayView<const float>& field) const;

  std::vector<double> mean_;
  std::vector<double> deviation_;
};

// In which units errors of [..., channels] are added up: 1 for a single channel, the root mean square of each
// of several (1 of one that is zero everywhere), so that none is lost beside another.
std::vector<double> channel_units(const Array<float>& field);

// A data set as networks see it: each channel scaled to mean zero and deviation one, or as it is.
//
// Why: a scaled copy would double the memory that training takes. Here samples are scaled as they are
// gathered into batches. Contract: the values are those that Normalisation::apply gives for the whole fields,
// bit for bit. The fingerprint is computed once, when this is made; the data must outlive it, unchanged.
class ScaledData {
 public:
  // As it is: a data set may be given wherever scaled data are taken.
  ScaledData(const DataSet& data);  // NOLINT(google-explicit-constructor)
  // Throws when a normalisation has another number of channels than its field.
  ScaledData(const DataSet& data, Normalisation inputs, Normalisation outputs);

  [[nodiscard]] const DataSet& data() const { return *data_; }  // not scaled
  [[nodiscard]] Index size() const { return data_->size(); }
  [[nodiscard]] bool is_scaled() const { return !inputs_.is_none() || !outputs_.is_none(); }
  [[nodiscard]] const Normalisation& output_normalisation() const { return outputs_; }

  // The samples one after another in memory, scaled.
  void gather(std::span<const Index> samples, float* inputs, float* outputs) const;
  void gather_inputs(std::span<const Index> samples, float* inputs) const;

  // CRC-64 of the scaled values and of the shapes, as 16 hexadecimal digits.
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }

 private:
  const DataSet* data_;
  Normalisation inputs_, outputs_;
  std::string fingerprint_;
};

// That of the data as they are.
std::string data_fingerprint(const DataSet& data);

// CRC-64 of values and shape, following on `before`.
std::uint64_t checksum(const Array<float>& array, std::uint64_t before);

}  // namespace nouq
