#include "train/fingerprint.h"

#include <nlohmann/json.hpp>

#include "core/checksum.h"
#include "train/trainer.h"

namespace nouq {
namespace {

nlohmann::ordered_json describe(const FnoOptions& o) {
  nlohmann::ordered_json padding = nlohmann::ordered_json::array();
  for (const Padding& p : o.padding) {
    if (p.fraction) {
      padding.push_back({{"fraction", *p.fraction}});
    } else {
      padding.push_back({{"points", p.points}});
    }
  }
  return {{"input_channels", o.input_channels},
          {"outputs", o.outputs},
          {"modes", o.modes},
          {"padding", padding},
          {"width", o.width},
          {"blocks", o.blocks},
          {"features", o.features},
          {"head_bias", o.head_bias},
          {"dropout", o.dropout}};
}

}  // namespace

std::string data_fingerprint(const DataSet& data) {
  std::uint64_t sum = 0;
  for (const Array<float>* array : {&data.inputs, &data.outputs}) {
    sum = crc64(std::as_bytes(std::span(array->shape())), sum);
    sum = crc64(std::as_bytes(array->span()), sum);
  }
  return fmt::format("{:016x}", sum);
}

std::string training_fingerprint(const TrainOptions& o, const DataSet& train, const DataSet& validation) {
  const nlohmann::ordered_json text = {
      {"network", describe(o.network)},
      {"loss", {{"kind", name(o.loss.kind)}, {"channels", o.loss.channels}, {"heads", o.loss.heads}}},
      {"schedule",
       {{"kind", name(o.schedule.kind)},
        {"base_rate", o.schedule.base_rate},
        {"period", o.schedule.period},
        {"factor", o.schedule.factor}}},
      {"epochs", o.epochs},
      {"batch", o.batch},
      {"weight_decay", o.weight_decay},
      {"seed", o.seed},
      {"patience", o.patience},
      {"training_data", data_fingerprint(train)},
      {"validation_data", data_fingerprint(validation)}};
  return text.dump();
}

}  // namespace nouq
