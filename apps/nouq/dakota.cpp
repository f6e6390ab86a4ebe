// nouq dakota: a model as an analysis driver of Dakota, which hands over parameters and takes results as JSON
// files.
#include <algorithm>
#include <cmath>

#include <nouq/gradient.h>
#include <nouq/input_parameters.h>
#include <nouq/prediction.h>

#include "argument_values.h"
#include "commands.h"
#include "core/error.h"
#include "core/file.h"
#include "core/names.h"
#include "grid_place.h"
#include "question.h"

namespace nouq::cli {
namespace {

struct DakotaCommand {
  std::filesystem::path model;
  std::filesystem::path parameters;
  std::filesystem::path results;
  std::vector<std::string> functions;
  std::string projection = "none";
};

OptionTable dakota_table(DakotaCommand& o) {
  OptionTable table(
      "dakota", "a model as an analysis driver of Dakota",
      "Dakota runs a driver with two file names: parameters to read and results to write. With its JSON formats "
      "(parameters_format json, results_format json) the driver may be nouq itself: analysis_drivers = 'nouq dakota "
      "pme.nouq --function u=mean:x=0.5;t=1'. Variables have the names or symbols of the model's parameters. Every "
      "response is a --function: 'mean' or 'std' at a place between the grid's points, or the 'score' of trust. "
      "Gradients of means are given where Dakota asks for them.");
  table.add("model", o.model, "the model file").as_positional().as_required();
  table.add("parameters", o.parameters, "what Dakota wrote").as_positional().as_required().shown_as("FILE");
  table.add("results", o.results, "what Dakota will read").as_positional().as_required().shown_as("FILE");
  table
      .add("function", o.functions,
           "a response: its descriptor, then mean or std and a coordinate for every axis, or score")
      .shown_as("LABEL=WHAT")
      .as_required();
  table.add("conserve", o.projection, "projection onto the conservation law").one_of(projection_names());
  table.example(
      "nouq dakota pme.nouq params.json results.json --function 'u=mean:x=0.5;t=1' --function 'sigma=std:x=0.5;t=1'",
      "Value and standard deviation in the middle");
  return table;
}

struct Response {
  std::string label;
  std::string what;  // mean, std or score
  GridPlace place;
};

Response parse_response(const std::string& text, const Model& model) {
  const std::string option = "--function " + text;
  const auto [label, rest] = split_once(text, '=');
  require(!label.empty() && !rest.empty(), "{}: expected LABEL=WHAT, as in u=mean:x=0.5;t=1", option);
  const auto [what, where] = split_once(rest, ':');
  const std::vector<std::string> names = {"mean", "std", "score"};
  (void)with_source(option, [&] { return index_of_name("quantity", what, names); });
  if (what == "score") {
    require(where.empty(), "{}: the score is of the whole answer: expected no place", option);
    require(model.info().has_trust, "{}: the model was not calibrated to judge its answers", option);
    return {label, what, {}};
  }
  require(model.outputs().size() == 1, "{}: the model has {} output channels: expected one", option,
          model.outputs().size());
  return {label, what, with_source(option, [&] { return find_place(model.grid(), where); })};
}

Json read_json(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  require(bytes.size() <= (std::size_t{16} << 20U), "{}: {} bytes are no file of parameters", path.string(),
          bytes.size());
  const auto* begin = reinterpret_cast<const char*>(bytes.data());
  Json json = Json::parse(begin, begin + bytes.size(), nullptr, false);
  require(
      json.is_object() && json.contains("variables") && json["variables"].is_array(),
      "{}: expected Dakota's parameters as JSON, {{\"variables\": [{{\"label\": ..., \"value\": ...}}, ...]}}",
      path.string());
  return json;
}

// [1, parameters]; variables that the model does not have are refused, as Dakota would vary them in vain.
Array<double> values_in(const Json& json, const InputParameters& parameters,
                        std::vector<Index>& parameter_of_variable) {
  const auto& list = parameters.list();
  Array<double> values({1, std::ssize(list)}, std::nan(""));
  std::vector<std::string> names;
  for (const InputParameter& p : list) names.push_back(p.symbol);
  for (const Json& variable : json["variables"]) {
    require(variable.is_object() && variable.contains("label") && variable["label"].is_string() &&
                variable.contains("value") && variable["value"].is_number(),
            "variables: {}: expected a label and a number as value", variable.dump());
    const auto label = variable["label"].get<std::string>();
    const auto found = std::find_if(list.begin(), list.end(), [&](const InputParameter& p) {
      return p.name == label || p.symbol == label;
    });
    if (found == list.end()) fail_unknown_name("variable", label, names);
    values[found - list.begin()] = variable["value"].get<double>();
    parameter_of_variable.push_back(found - list.begin());
  }
  for (std::size_t i = 0; i < list.size(); ++i)
    require(std::isfinite(values[i]), "variables: '{}' is missing, or not finite", list[i].symbol);
  return values;
}

// Whether Dakota asks for the gradient of a response (bit 2 of its active set).
bool wants_gradient(const Json& json, const std::string& label) {
  if (!json.contains("responses") || !json["responses"].is_array()) return false;
  for (const Json& response : json["responses"]) {
    if (!response.is_object() || response.value("label", "") != label) continue;
    const Json set = response.value("active_set", Json(1));
    require(set.is_number_integer() && set.get<Index>() >= 0 && set.get<Index>() <= 7,
            "responses: the active set of '{}' is {}: expected 0 to 7", label, set.dump());
    require((set.get<Index>() & 4) == 0, "responses: the Hessian of '{}' is asked for: the model has none",
            label);
    return (set.get<Index>() & 2) != 0;
  }
  return false;
}

struct Asked {
  Prediction prediction;
  std::vector<Trust> trusts;
};

Asked ask(const DakotaCommand& o, const Model& model, const InputParameters& parameters,
          const Array<double>& values) {
  const Problem* problem = parameters.problem();
  const bool by_law = listens_to_law(model) && problem != nullptr && !problem->mass_needs_solver();
  const DataSet data = parameters.question(values, o.projection != "none" || by_law);
  const Prediction before = predict(model, data, {uses_samples(o.projection), 1});
  return {sized_and_projected(model, data, before, {o.projection, std::nullopt, 1}),
          trust(model, data, before)};
}

double value_of(const Response& response, const Asked& asked) {
  if (response.what == "score") return asked.trusts.front().score;
  const Array<double>& field = response.what == "mean" ? asked.prediction.mean : asked.prediction.variance;
  double value = 0;
  for (const auto& [at, weight] : response.place)
    value += weight * (response.what == "mean" ? field[at] : std::sqrt(field[at]));
  return value;
}

Json gradient_of(const DakotaCommand& o, const Response& response, const Model& model,
                 const InputParameters& parameters, const Array<double>& values,
                 const std::vector<Index>& parameter_of_variable) {
  require(response.what == "mean",
          "the gradient of '{}' is asked for: gradients of means are known, not of {}", response.label,
          response.what);
  require(o.projection == "none", "the gradient of '{}' is asked for: it is known without --conserve only",
          response.label);
  Shape shape = shape_of(model.grid());
  shape.insert(shape.begin(), 1);
  shape.push_back(std::ssize(model.outputs()));
  Array<double> sensitivity(shape);
  for (const auto& [at, weight] : response.place) sensitivity[at] = weight;
  const Array<double> gradient = parameter_gradient(model, parameters, values, sensitivity);
  Json list = Json::array();
  for (const Index p : parameter_of_variable) list.push_back(gradient[p]);
  return list;
}

void run_dakota(const DakotaCommand& o, Output& output) {
  require_free_output("results", o.results, {o.model, o.parameters});
  const Model model = Model::load(o.model.string());
  const InputParameters parameters(model);
  std::vector<Response> responses;
  for (const std::string& text : o.functions) responses.push_back(parse_response(text, model));
  const Json json = read_json(o.parameters);
  std::vector<Index> parameter_of_variable;
  const Array<double> values =
      with_source(o.parameters.string(), [&] { return values_in(json, parameters, parameter_of_variable); });
  const Asked asked = ask(o, model, parameters, values);
  Json results = {{"functions", Json::object()}}, gradients = Json::object();
  for (const Response& response : responses) {
    const double value = value_of(response, asked);
    require(std::isfinite(value), "{} is not finite: the input is beyond what the network can take",
            response.label);
    require(!results["functions"].contains(response.label), "--function: two responses are called '{}'",
            response.label);
    results["functions"][response.label] = value;
    if (wants_gradient(json, response.label))
      gradients[response.label] = gradient_of(o, response, model, parameters, values, parameter_of_variable);
  }
  if (!gradients.empty()) results["gradients"] = gradients;
  write_file_atomically(o.results, results.dump(1) + "\n");
  output.result(results);
}

}  // namespace

Command dakota_command() { return make_command(dakota_table, run_dakota); }

}  // namespace nouq::cli
