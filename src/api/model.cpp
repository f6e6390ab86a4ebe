#include <nlohmann/json.hpp>
#include <nouq/model.h>

#include "api/shared_model.h"
#include "core/error.h"
#include "core/names.h"
#include "model/model_file.h"
#include "physics/law_sizing.h"
#include "physics/physics.h"
#include "physics/projection_calibration.h"
#include "physics/rollout.h"
#include "train/fingerprint.h"
#include "uq/conformal.h"
#include "uq/sizing.h"
#include "uq/trust.h"

namespace nouq {

Model Model::load(const std::string& path) { return Model(std::make_shared<SharedModel>(load_model(path))); }

Model::Model(std::shared_ptr<SharedModel> shared) : shared_(std::move(shared)) {}

void Model::save(const std::string& path) const { save_model(shared_->surrogate(), path); }

const std::map<std::string, std::string>& Model::facts() const { return shared_->surrogate().facts; }

const std::map<std::string, Array<double>>& Model::history() const { return shared_->surrogate().history; }

std::string Model::fingerprint(const std::string& path) { return model_fingerprint(path); }

const std::vector<Channel>& Model::inputs() const { return shared_->surrogate().input_channels; }

const std::vector<Channel>& Model::outputs() const { return shared_->surrogate().output_channels; }

const std::vector<Channel>& Model::parameters() const { return shared_->surrogate().parameter_names; }

const Array<double>& Model::input_range() const { return shared_->surrogate().input_range; }

const Array<double>& Model::parameter_range() const { return shared_->surrogate().parameter_range; }

Laws Model::laws() const { return laws_of(shared_->surrogate()); }

const std::vector<Bounds>& Model::bounds() const { return shared_->surrogate().bounds; }

std::map<std::string, std::string> Model::provenance() const { return provenance_of(shared_->surrogate()); }

const std::map<std::string, Array<double>>& Model::state() const { return shared_->surrogate().state; }

const Grid& Model::grid() const { return shared_->surrogate().grid; }

Model Model::sized(const std::string& sizing) const {
  const std::vector<std::string> names = {"none", "data", "law"};
  (void)index_of_name("sizing", sizing, names);  // throws for another
  Surrogate surrogate = shared_->surrogate();
  require(sizing == "none" || has_sizing(surrogate),
          "sizing {}: the model was not sized; train it again with two held-out samples or more", sizing);
  require(sizing != "law" || has_law_sizing(surrogate),
          "sizing law: the model's training data had no conservation law");
  if (sizing == "none") {
    remove_sizing(surrogate);
    remove_trust(surrogate);
    std::erase_if(surrogate.state, [](const auto& entry) { return entry.first.starts_with("conformal."); });
  } else if (sizing == "data") {
    remove_law_sizing(surrogate);
  }
  return Model(std::make_shared<SharedModel>(std::move(surrogate)));
}

namespace {

void add_sizing(const Surrogate& surrogate, ModelInfo& info) {
  if (!has_sizing(surrogate)) return;
  const Sizing sizing = sizing_of(surrogate);
  info.sizing = {sizing.scale, sizing.floor, sizing.error, sizing.held_out, has_law_sizing(surrogate)};
}

void add_projections(const Surrogate& surrogate, ModelInfo& info) {
  info.law_spread = law_use_of(surrogate).sigma_power;
  for (const std::string& projection : projection_names()) {
    const ProjectionKind kind = projection_from_name(projection);
    const Sizing sizing = sizing_after(surrogate, kind);
    if (sizing.empty()) continue;
    const auto bands = bands_after(surrogate, kind);
    const bool whole = bands && bands->kind() == ConformalKind::whole_field;
    info.projections.push_back(
        {projection, sizing.scale, sizing.floor, sizing.error, whole ? bands->factor[0] : 0});
  }
}

TrustInfo trust_info(const Surrogate& surrogate) {
  TrustInfo info;
  info.far = state_number(surrogate, "trust.far");
  if (surrogate.state.contains("trust.level")) info.level = state_number(surrogate, "trust.level");
  info.witnesses = witness_names(surrogate);
  const auto held_out = surrogate.state.find("trust.held_out");
  if (held_out == surrogate.state.end()) {
    info.reference = state_number(surrogate, "trust.reference");
  } else {
    info.held_out = held_out->second.extent(0);
  }
  return info;
}

void add_calibration(const Surrogate& surrogate, ModelInfo& info) {
  info.has_trust = has_trust(surrogate);
  if (info.has_trust) info.trust = trust_info(surrogate);
  if (!has_conformal(surrogate)) return;
  const Conformal bands = conformal_of(surrogate);
  const bool whole = bands.kind() == ConformalKind::whole_field;
  info.band_coverage = bands.coverage;
  info.band = {!whole, bands.coverage, whole ? bands.factor[0] : 0};
}

void add_networks(const Surrogate& surrogate, ModelInfo& info) {
  info.architecture = surrogate.network.architecture;
  info.width = surrogate.network.width;
  info.networks = std::ssize(surrogate.weights);
  info.weights = std::ssize(surrogate.weights.front());
  info.network = describe(surrogate.network).dump();
  info.format_version = format_version_of(surrogate);
}

RolloutInfo rollout_info(const Surrogate& surrogate) {
  const RolloutFacts facts = rollout_facts(surrogate);
  RolloutInfo info{facts.block, facts.step, facts.horizon, {}, rollout_coverage(surrogate).value_or(0)};
  for (const auto& entry : laws_of(surrogate))
    if (is_closed(surrogate, entry.first)) info.closed.push_back(entry.first);
  return info;
}

NormalisationInfo normalisation_of(const Normalisation& normalisation) {
  if (normalisation.is_none()) return {};
  return {normalisation.mean(), normalisation.deviation()};
}

}  // namespace

ModelInfo Model::info() const {
  const Surrogate& surrogate = shared_->surrogate();
  ModelInfo info;
  info.method = surrogate.method;
  for (const Axis& axis : surrogate.grid)
    info.axes.push_back({axis.name, axis.unit, axis.coordinates, name(axis.kind)});
  for (const Channel& channel : surrogate.input_channels) info.inputs.push_back(channel.name);
  for (const Channel& channel : surrogate.output_channels) info.outputs.push_back(channel.name);
  info.members = shared_->members();
  add_calibration(surrogate, info);
  add_sizing(surrogate, info);
  add_projections(surrogate, info);
  add_networks(surrogate, info);
  info.input_normalisation = normalisation_of(surrogate.input_normalisation);
  info.output_normalisation = normalisation_of(surrogate.output_normalisation);
  if (has_rollout(surrogate)) info.rollout = rollout_info(surrogate);
  for (const auto& [law, what] : laws_of(surrogate)) info.laws.push_back({law, what.axes, what.channel});
  for (const Bounds& bounds : surrogate.bounds) {
    info.lower.push_back(bounds.lower);
    info.upper.push_back(bounds.upper);
  }
  return info;
}

void Model::set_threads(int threads) { shared_->set_threads(threads); }

void Model::predict(const Input& inputs, const Outputs& outputs) const { shared_->predict(inputs, outputs); }

std::vector<std::int64_t> Model::answer_shape(const Input& inputs) const {
  const Surrogate& surrogate = shared_->surrogate();
  const PredictCall call = checked_call(surrogate, shared_->members(), inputs, {});
  std::vector<std::int64_t> shape(call.grid.begin(), call.grid.end());
  shape.insert(shape.begin(), call.samples);
  shape.push_back(surrogate.channels());
  return shape;
}

bool Model::has_band(const Input& inputs) const {
  return shared_->has_band(checked_call(shared_->surrogate(), shared_->members(), inputs, {}).grid);
}

Answer Model::predict(const Input& inputs, bool samples, const Known& known) const {
  Answer answer;
  answer.shape = answer_shape(inputs);
  const std::size_t size = element_count(answer.shape);
  answer.mean.resize(size);
  answer.deviation.resize(size);
  const Layout layout(answer.shape, Order::row_major);
  Outputs outputs{{answer.mean.data(), layout}, {answer.deviation.data(), layout}, {}};
  if (samples && shared_->members() > 0) {
    Shape shape = answer.shape;
    shape.insert(shape.begin() + 1, shared_->members());
    answer.samples.resize(element_count(shape));
    outputs.samples = {answer.samples.data(), Layout(shape, Order::row_major)};
  }
  if (has_band(inputs)) {
    answer.band.resize(size);
    outputs.band = {answer.band.data(), layout};
  }
  if (has_trust(shared_->surrogate())) outputs.trust = &answer.trust;
  outputs.known = &known;
  shared_->predict(inputs, outputs);
  return answer;
}

}  // namespace nouq
