#include "serve/served_model.h"

#include <algorithm>
#include <cmath>

#include <nouq/problem_data.h>

#include "core/error.h"
#include "core/grid_domain.h"
#include "core/names.h"
#include "question.h"

namespace nouq::cli {
namespace {

bool fits(const Model& model, const DataSet& data) {
  return same_points(model.grid(), data.grid) && model.inputs().size() == data.input_channels.size() &&
         model.outputs().size() == data.output_channels.size();
}

bool has_bounds(const Model& model) {
  return std::any_of(model.bounds().begin(), model.bounds().end(), [](const Bounds& bounds) {
    return std::isfinite(bounds.lower) || std::isfinite(bounds.upper);
  });
}

// Those that some question can be answered with.
std::vector<std::string> projections_for(const Model& model, const Problem* problem, const DataSet* data) {
  const bool law = (problem != nullptr && problem->has_mass_law()) ||
                   (data != nullptr && !data->constraint_values.empty());
  const bool bounds = has_bounds(model) || problem != nullptr;
  std::vector<std::string> names;
  for (const std::string& name : projection_names()) {
    if (name == "none" || (name == "bounded" && (law || bounds)) || (name == "diagonal" && law) ||
        (name == "low-rank" && law && model.info().members > 0))
      names.push_back(name);
  }
  return names;
}

Json describe(const Channel& channel, const Array<double>& ranges, std::size_t at) {
  Json json = {{"name", channel.name}, {"unit", channel.unit}};
  const Index i = 2 * static_cast<Index>(at);
  if (ranges.size() >= i + 2) json["train"] = {ranges[i], ranges[i + 1]};
  return json;
}

Json describe(const InputParameter& p) {
  return {{"name", p.name},
          {"symbol", p.symbol},
          {"unit", p.unit},
          {"train", {p.trained.low, p.trained.high}},
          {"range", {p.range.low, p.range.high}},
          {"value", 0.5 * (p.trained.low + p.trained.high)}};
}

Prediction as_prediction(Answer answer, Index members) {
  Prediction p{Array<double>(answer.shape, answer.mean), Array<double>(answer.shape, answer.deviation), {}};
  for (double& v : p.variance) v *= v;
  if (answer.samples.empty()) return p;
  Shape shape = answer.shape;
  shape.insert(shape.begin() + 1, members);
  p.samples = Array<double>(shape, answer.samples);
  return p;
}

// What the data say besides their inputs, for trust.
Known known_of(const Model& model, const DataSet& data) {
  Known known;
  for (const auto& [name, law] : model.laws()) {
    const auto values = data.constraint_values.find(name);
    if (values != data.constraint_values.end()) known.values.insert(*values);
  }
  const Shape expected = {data.inputs.extent(0), std::ssize(model.parameters())};
  if (data.parameters.shape() == expected) known.parameters = data.parameters;
  return known;
}

// Why an answer should be doubted: what leaves the range of the training data, and a spread beyond what
// held-out samples showed.
std::vector<std::string> reasons_for(const Model& model, const InputParameters* parameters,
                                     const Array<double>& values, const Array<float>& inputs,
                                     const std::optional<Trust>& trust) {
  std::vector<std::string> reasons;
  if (parameters != nullptr && !values.empty()) {
    for (Index i = 0; i < values.size(); ++i) {
      const InputParameter& p = parameters->list()[i];
      if (values[i] < p.trained.low || values[i] > p.trained.high)
        reasons.push_back(fmt::format("{} = {:.4g} lies outside the training range, {:.4g} to {:.4g}",
                                      p.symbol, values[i], p.trained.low, p.trained.high));
    }
  } else {
    for (const OutOfRange& one : out_of_range(model, inputs))
      reasons.push_back(
          fmt::format("input {} leaves the training range, {:.4g} to {:.4g}, at {:.0f} % of the points",
                      one.channel, one.low, one.high, 100 * one.share));
  }
  if (trust && model.info().trust->held_out > 0) {
    const bool listed = !reasons.empty();  // what is outside is said already
    for (const std::string& reason : trust->reasons)
      if (!listed || reason.find(" outside ") == std::string::npos) reasons.push_back(reason);
  } else if (trust && trust->score > 1) {
    reasons.push_back(
        fmt::format("the spread is {:.3g} times the largest that is usual for inputs like the training data",
                    trust->score));
  }
  return reasons;
}

// Some problems make an input of their parameter that jumps with it.
bool changes_smoothly(const InputParameters& parameters) {
  Array<double> middle({1, std::ssize(parameters.list())});
  for (Index i = 0; i < middle.size(); ++i)
    middle[i] = 0.5 * (parameters.list()[i].trained.low + parameters.list()[i].trained.high);
  try {
    for (Index i = 0; i < middle.size(); ++i) (void)parameters.derivative(middle, 0, i);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

ServedModel::ServedModel(std::string name, Model model, const DataSet* data)
    : name_(std::move(name)),
      model_(std::move(model)),
      info_(model_.info()),
      data_(data != nullptr && fits(model_, *data) ? data : nullptr) {
  if (InputParameters::known(model_)) parameters_.emplace(model_);
  has_gradient_ = !parameters_ || changes_smoothly(*parameters_);
  projections_ = projections_for(model_, parameters_ ? parameters_->problem() : nullptr, data_);
}

Json ServedModel::description() const {
  Json json = {{"name", name_}, {"method", info_.method}};
  json["axes"] = Json::array();
  for (const AxisInfo& axis : info_.axes)
    json["axes"].push_back(
        {{"name", axis.name}, {"unit", axis.unit}, {"kind", axis.kind}, {"coordinates", axis.coordinates}});
  json["inputs"] = json["outputs"] = json["parameters"] = Json::array();
  for (std::size_t c = 0; c < model_.inputs().size(); ++c)
    json["inputs"].push_back(describe(model_.inputs()[c], model_.input_range(), c));
  for (const Channel& channel : model_.outputs())
    json["outputs"].push_back({{"name", channel.name}, {"unit", channel.unit}});
  const Problem* problem = parameters_ ? parameters_->problem() : nullptr;
  if (parameters_)
    for (const InputParameter& p : parameters_->list()) json["parameters"].push_back(describe(p));
  json["problem"] = problem == nullptr ? Json() : Json(problem->name());
  json["words"] = problem == nullptr ? "" : problem->description().words;
  json["function_input"] =
      !parameters_ || (problem != nullptr && problem->description().input_kind == InputKind::function);
  json["samples"] = data_ == nullptr ? 0 : data_->size();
  json["projections"] = projections_;
  json["laws"] = Json::array();
  for (const auto& [law, what] : model_.laws()) json["laws"].push_back(law);
  json["truth"] = problem != nullptr;
  json["trust"] = info_.has_trust;
  json["coverage"] = info_.band_coverage > 0 ? Json(info_.band_coverage) : Json();
  return json;
}

Array<double> ServedModel::values_of(const std::map<std::string, double>& given) const {
  require(parameters_.has_value(),
          "{}: its inputs are fields, not functions of parameters; give 'input' or 'sample'", name_);
  const auto& list = parameters_->list();
  Array<double> values({1, std::ssize(list)});
  std::vector<std::string> names;
  for (const InputParameter& p : list) names.push_back(p.symbol);
  for (const auto& [name, value] : given) {
    const auto known = [&, &wanted = name](const InputParameter& p) {
      return p.name == wanted || p.symbol == wanted;
    };
    if (std::none_of(list.begin(), list.end(), known)) fail_unknown_name("parameter", name, names);
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto by_name = given.find(list[i].name), by_symbol = given.find(list[i].symbol);
    const auto found = by_name != given.end() ? by_name : by_symbol;
    require(found != given.end(), "parameter '{}' is missing", list[i].symbol);
    values[i] = found->second;
  }
  return values;
}

DataSet ServedModel::from_input(const std::vector<float>& input) const {
  DataSet data;
  Shape shape = shape_of(model_.grid());
  shape.insert(shape.begin(), 1);
  shape.push_back(std::ssize(model_.inputs()));
  require(std::ssize(input) == element_count(shape), "input of {} numbers: expected {}, {} flat",
          input.size(), element_count(shape), to_string(std::span(shape).subspan(1)));
  data.inputs = Array<float>(shape, input);
  data.grid = model_.grid();
  data.input_channels = model_.inputs();
  data.output_channels = model_.outputs();
  data.bounds = model_.bounds();
  data.provenance = model_.provenance();
  return data;
}

void ServedModel::check_projection(const std::string& name) const {
  if (std::find(projections_.begin(), projections_.end(), name) == projections_.end())
    fail_unknown_name("projection", name, projections_);
}

DataSet ServedModel::question(const ServeQuery& query) const {
  if (query.sample) {
    const Index count = data_ == nullptr ? 0 : data_->size();
    require(*query.sample >= 0 && *query.sample < count, "sample {}: there are {} for this model{}",
            *query.sample, count, count == 0 ? " (nouq serve --data FILE gives some)" : ", numbered from 0");
    return select(*data_, {*query.sample});
  }
  if (query.input) return from_input(*query.input);
  const Array<double> values = values_of(query.parameters);
  const Problem* problem = parameters_->problem();
  if (query.truth && problem != nullptr) {
    DataSet data = solve(*problem, values.span(), model_.grid());
    data.provenance = model_.provenance();
    return data;
  }
  const bool by_law = listens_to_law(model_) && problem != nullptr && !problem->mass_needs_solver();
  return parameters_->question(values, query.projection != "none" || by_law);
}

ServeAnswer ServedModel::answer(const ServeQuery& query) const {
  check_projection(query.projection);
  const DataSet data = question(query);
  Answer raw = model_.predict(Input(data.inputs.data(), Layout(data.inputs.shape(), Order::row_major)),
                              uses_samples(query.projection), known_of(model_, data));
  ServeAnswer answer;
  answer.shape = {raw.shape.begin() + 1, raw.shape.end()};
  if (!raw.trust.empty()) answer.trust = raw.trust.front();
  Prediction p = as_prediction(std::move(raw), info_.members);
  const bool finite = std::all_of(p.mean.begin(), p.mean.end(), [](double v) { return std::isfinite(v); });
  require(finite, "the answer is not a finite number: the input is beyond what the network can take");
  p = sized_and_projected(model_, data, p, {query.projection, std::nullopt, 1});
  answer.band.assign(p.band.begin(), p.band.end());
  if (query.projection == "none") {
    if (const auto width = band(model_, p)) answer.band.assign(width->begin(), width->end());
  }
  answer.mean.assign(p.mean.begin(), p.mean.end());
  answer.deviation.assign(p.variance.begin(), p.variance.end());
  for (double& v : answer.deviation) v = std::sqrt(v);
  const bool by_parameters = !query.sample && !query.input;
  answer.reasons =
      reasons_for(model_, parameters(), by_parameters ? values_of(query.parameters) : Array<double>(),
                  data.inputs, answer.trust);
  if (query.truth) answer.truth.assign(data.outputs.begin(), data.outputs.end());
  const Problem* problem = parameters_ ? parameters_->problem() : nullptr;
  if (!by_parameters || (problem != nullptr && problem->description().input_kind == InputKind::function))
    answer.input.assign(data.inputs.begin(), data.inputs.end());
  return answer;
}

}  // namespace nouq::cli
