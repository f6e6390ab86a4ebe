#include "train/training_law.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/checksum.h"
#include "core/error.h"

namespace nouq {
namespace {

// One value per row of every sample, in the data's units.
Array<double> values_of(const TrainingLaw& law, const DataSet& data) {
  Array<double> all({data.size(), law.rows.count()});
  Index first = 0;
  for (const std::string& name : law.names) {
    const Array<double>& values = data.constraint_values.at(name);
    const Index count = values.size() / data.size();
    for (Index s = 0; s < data.size(); ++s)
      std::copy_n(values.data() + s * count, count, all.data() + s * law.rows.count() + first);
    first += count;
  }
  return all;
}

template <class T>
std::uint64_t add(const std::vector<T>& values, std::uint64_t before) {
  return crc64(std::as_bytes(std::span(values)), before);
}

}  // namespace

void validate(const TrainingLaw& law, const DataSet& data, const std::string& name) {
  validate(law.rows, element_count(shape_of(data.grid)) * data.outputs.shape().back());
  Index found = 0;
  for (const std::string& wanted : law.names) {
    const auto values = data.constraint_values.find(wanted);
    require(values != data.constraint_values.end(),
            "{}: no values of the law '{}', which the loss is to be projected onto", name, wanted);
    for (const double value : values->second)
      require(std::isfinite(value), "{}: a value of the law '{}' is {}, expected a finite number", name,
              wanted, value);
    found += data.size() > 0 ? values->second.size() / data.size() : 0;
  }
  require(found == law.rows.count(), "{}: {} values of its law per sample, expected {}", name, found,
          law.rows.count());
}

FieldRows scaled_rows(const TrainingLaw& law, const Normalisation& outputs) {
  FieldRows rows = law.rows;
  if (outputs.is_none()) return rows;
  const auto channels = outputs.deviation().size();
  for (std::size_t k = 0; k < rows.place.size(); ++k)
    rows.weight[k] *= outputs.deviation()[static_cast<std::size_t>(rows.place[k]) % channels];
  return rows;
}

Array<double> scaled_values(const TrainingLaw& law, const ScaledData& data) {
  Array<double> values = values_of(law, data.data());
  const Normalisation& outputs = data.output_normalisation();
  if (outputs.is_none()) return values;
  const auto channels = outputs.mean().size();
  const Index count = law.rows.count();
  for (Index r = 0; r < count; ++r) {
    double shift = 0;
    for (Index k = law.rows.begin[r]; k < law.rows.begin[r + 1]; ++k)
      shift += law.rows.weight[k] * outputs.mean()[static_cast<std::size_t>(law.rows.place[k]) % channels];
    for (Index s = 0; s < data.size(); ++s) values[s * count + r] -= shift;
  }
  return values;
}

std::string law_fingerprint(const TrainingLaw& law, const DataSet& train, const DataSet& validation) {
  validate(law, train, "training data");
  validate(law, validation, "validation data");
  std::uint64_t crc = add(law.rows.begin, 0);
  crc = add(law.rows.noise, add(law.rows.weight, add(law.rows.place, crc)));
  for (const DataSet* data : {&train, &validation})
    crc = crc64(std::as_bytes(values_of(law, *data).span()), crc);
  return fmt::format("{:016x}", crc);
}

}  // namespace nouq
