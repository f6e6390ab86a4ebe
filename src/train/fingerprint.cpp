#include "train/fingerprint.h"

#include <fmt/format.h>

#include "core/checksum.h"
#include "train/trainer.h"

namespace nouq {

OrderedJson describe(const NetworkOptions& o) {
  OrderedJson padding = OrderedJson::array();
  for (const Padding& p : o.padding) {
    if (p.fraction) {
      padding.push_back({{"fraction", *p.fraction}});
    } else {
      padding.push_back({{"points", p.points}});
    }
  }
  OrderedJson text;
  // The first architecture was once the only one: texts that do not name one are of networks of that.
  if (o.architecture != "fno") text["architecture"] = o.architecture;
  text["input_channels"] = o.input_channels;
  text["outputs"] = o.outputs;
  text["modes"] = o.modes;
  text["padding"] = padding;
  text["width"] = o.width;
  text["blocks"] = o.blocks;
  for (const auto& [name, value] : o.extra) text[name] = value;
  text["features"] = o.features;
  text["head_bias"] = o.head_bias;
  text["dropout"] = o.dropout;
  return text;
}

namespace {

OrderedJson describe(const Diversity& d, const Array<float>* unlabelled) {
  OrderedJson text = {{"kind", name(d.kind)},
                      {"strength", d.strength},
                      {"bound", d.bound},
                      {"warmup", d.warmup},
                      {"sampled", d.sampled}};
  if (d.reaches_trunk()) text["through"] = name(d.through);
  if (needs_unlabelled_inputs(d.kind) && unlabelled != nullptr)
    text["unlabelled"] = fmt::format("{:016x}", checksum(*unlabelled, 0));
  return text;
}

OrderedJson common_settings(const TrainerOptions& o) {
  OrderedJson text = {
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
      {"patience", o.patience}};
  // Networks with dropout were once validated without: what they left behind must not be taken for theirs.
  if (o.network.dropout > 0.0) text["validation"] = "masked";
  return text;
}

}  // namespace

OrderedJson describe(const TrainerOptions& o) {
  OrderedJson text = common_settings(o);
  if (o.diversity.strength > 0.0) text["diversity"] = describe(o.diversity, nullptr);
  if (o.law != nullptr) text["law"] = o.law->names;
  return text;
}

std::string training_fingerprint(const TrainerOptions& o, const ScaledData& train,
                                 const ScaledData& validation) {
  OrderedJson text = common_settings(o);
  text["training_data"] = train.fingerprint();
  text["validation_data"] = validation.fingerprint();
  if (o.diversity.strength > 0.0) text["diversity"] = describe(o.diversity, o.unlabelled);
  if (o.law != nullptr) text["law"] = law_fingerprint(*o.law, train.data(), validation.data());
  if (o.initial != nullptr)
    text["initial"] = fmt::format("{:016x}", crc64(std::as_bytes(std::span(*o.initial)), 0));
  return text.dump();
}

}  // namespace nouq
