// A data set as networks see it: each channel scaled to mean zero and deviation one, or as it is.
//
// Why: a scaled copy would double the memory that training takes. Here samples are scaled as they are
// gathered into batches. Contract: the values are those that Normalisation::apply gives for the whole fields,
// bit for bit. The fingerprint is computed once, when this is made; the data must outlive it, unchanged.
#pragma once

#include <span>
#include <string>

#include "data/data_set.h"
#include "data/normalisation.h"

namespace nouq {

class ScaledData {
 public:
  // As it is: a data set may be given wherever scaled data are taken.
  ScaledData(const DataSet& data);  // NOLINT(google-explicit-constructor)
  // Throws when a normalisation has another number of channels than its field.
  ScaledData(const DataSet& data, Normalisation inputs, Normalisation outputs);

  [[nodiscard]] const DataSet& data() const { return *data_; }  // not scaled
  [[nodiscard]] Index size() const { return data_->size(); }
  [[nodiscard]] bool is_scaled() const { return !inputs_.is_none() || !outputs_.is_none(); }

  // The samples one after another in memory, scaled.
  void gather(std::span<const Index> samples, float* inputs, float* outputs) const;

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
