#include "serve/um_bridge.h"

#include <array>
#include <cmath>

#include <nouq/gradient.h>

#include "core/error.h"

namespace nouq::cli::um_bridge {
namespace {

struct Config {
  std::string projection = "none";
  std::optional<double> coverage;
};

// Throws for what would otherwise be passed over in silence.
Config config_of(const ServedModel& model, const Json& request) {
  Config config;
  if (!request.contains("config") || request["config"].is_null()) return config;
  const Json& given = request["config"];
  require(given.is_object(), "config is {}: expected an object", given.type_name());
  static constexpr std::array<std::string_view, 2> keys = {"projection", "coverage"};
  require_keys(given, keys);
  if (given.contains("projection")) config.projection = text_of(given["projection"], "projection");
  if (!given.contains("coverage")) return config;
  config.coverage = number_of(given["coverage"], "coverage");
  const double calibrated = model.model().info().band_coverage;
  require(calibrated > 0, "coverage = {}: the model has no bands", *config.coverage);
  require(std::abs(*config.coverage - calibrated) < 1e-9,
          "coverage = {}: the model's bands were calibrated for {}", *config.coverage, calibrated);
  return config;
}

Index input_size(const ServedModel& model) {
  if (model.parameters() != nullptr) return std::ssize(model.parameters()->list());
  return element_count(shape_of(model.model().grid())) * std::ssize(model.model().inputs());
}

Index output_size(const ServedModel& model) {
  return element_count(shape_of(model.model().grid())) * std::ssize(model.model().outputs());
}

std::vector<double> input_of(const ServedModel& model, const Json& request) {
  const Json& input = member(request, "input");
  require(input.is_array() && input.size() == 1, "input has {} vectors: expected a list of 1",
          input.is_array() ? std::to_string(input.size()) : "no");
  std::vector<double> values = list_of_numbers(input[0], "input[0]");
  require(std::ssize(values) == input_size(model), "input[0] has {} numbers: expected {}", values.size(),
          input_size(model));
  return values;
}

std::vector<double> vector_of(const Json& request, const std::string& key, Index size) {
  std::vector<double> values = list_of_numbers(member(request, key), key);
  require(std::ssize(values) == size, "{} has {} numbers: expected {}", key, values.size(), size);
  return values;
}

ServeQuery query_of(const ServedModel& model, const std::vector<double>& values) {
  ServeQuery query;
  if (model.parameters() == nullptr) {
    query.input.emplace(values.begin(), values.end());
    return query;
  }
  const auto& list = model.parameters()->list();
  for (std::size_t i = 0; i < list.size(); ++i) query.parameters[list[i].name] = values[i];
  return query;
}

// Derivatives are of the mean by the only input, and of the mean as predicted.
void require_mean(const ServedModel& model, const Json& request) {
  const Index output = integer_of(member(request, "outWrt"), "outWrt");
  const Index input = integer_of(member(request, "inWrt"), "inWrt");
  require(input == 0, "inWrt = {}: expected 0, the only input", input);
  const Config config = config_of(model, request);
  if (output != 0)
    throw ProtocolError("UnsupportedFeature", fmt::format("outWrt = {}: expected 0, the mean", output));
  if (config.projection != "none")
    throw ProtocolError("UnsupportedFeature", "gradients are of the mean without projection");
  if (!model.has_gradient())
    throw ProtocolError(
        "UnsupportedFeature",
        "the gradient is not known: the model's input does not change smoothly with its parameter");
}

Array<float> field_of(const ServedModel& model, const std::vector<double>& values) {
  Shape shape = shape_of(model.model().grid());
  shape.insert(shape.begin(), 1);
  shape.push_back(std::ssize(model.model().inputs()));
  return {shape, values.begin(), values.end()};
}

Array<double> answer_like(const ServedModel& model, const std::vector<double>& values) {
  Shape shape = shape_of(model.model().grid());
  shape.insert(shape.begin(), 1);
  shape.push_back(std::ssize(model.model().outputs()));
  return {shape, values.begin(), values.end()};
}

std::string vector_text(const Array<double>& values) {
  for (const double v : values)
    require(std::isfinite(v),
            "the derivative is not a finite number: the input is beyond what the network can take");
  std::string text = "{\"output\":";
  append_exact(values.span(), text);
  return text + "}";
}

}  // namespace

std::string model_info(const ServedModel& model, const Json& /*request*/) {
  const bool known = model.has_gradient();
  return Json{{"support",
               {{"Evaluate", true}, {"Gradient", known}, {"ApplyJacobian", known}, {"ApplyHessian", false}}}}
      .dump();
}

std::string input_sizes(const ServedModel& model, const Json& request) {
  (void)config_of(model, request);
  return Json{{"inputSizes", Json::array({input_size(model)})}}.dump();
}

std::string output_sizes(const ServedModel& model, const Json& request) {
  const Config config = config_of(model, request);
  Json sizes = {output_size(model), output_size(model)};
  if (model.model().info().has_trust) sizes.push_back(2);
  if (config.coverage) sizes.push_back(output_size(model));
  return Json{{"outputSizes", sizes}}.dump();
}

std::string evaluate(const ServedModel& model, const Json& request) {
  const Config config = config_of(model, request);
  ServeQuery query = query_of(model, input_of(model, request));
  query.projection = config.projection;
  const ServeAnswer answer = model.answer(query);
  require(!config.coverage || !answer.band.empty(),
          "coverage with the projection '{}': the model has no band for what comes out of it",
          config.projection);
  std::string text = "{\"output\":[";
  append_exact(answer.mean, text);
  text += ',';
  append_exact(answer.deviation, text);
  if (answer.trust) {
    text += ',';
    append_exact(std::array{answer.trust->score, static_cast<double>(answer.trust->verdict)}, text);
  }
  if (config.coverage) {
    text += ',';
    append_exact(answer.band, text);
  }
  return text + "]}";
}

std::string gradient(const ServedModel& model, const Json& request) {
  require_mean(model, request);
  const std::vector<double> values = input_of(model, request);
  const Array<double> sensitivity = answer_like(model, vector_of(request, "sens", output_size(model)));
  if (model.parameters() == nullptr)
    return vector_text(nouq::gradient(model.model(), field_of(model, values), sensitivity));
  return vector_text(parameter_gradient(model.model(), *model.parameters(),
                                        Array<double>({1, std::ssize(values)}, values), sensitivity));
}

std::string apply_jacobian(const ServedModel& model, const Json& request) {
  require_mean(model, request);
  const std::vector<double> values = input_of(model, request);
  const std::vector<double> along = vector_of(request, "vec", input_size(model));
  if (model.parameters() == nullptr) {
    const Array<float> inputs = field_of(model, values);
    return vector_text(derivative(model.model(), inputs, Array<double>(inputs.shape(), along)));
  }
  const Shape row = {1, std::ssize(values)};
  return vector_text(parameter_derivative(model.model(), *model.parameters(), Array<double>(row, values),
                                          Array<double>(row, along)));
}

}  // namespace nouq::cli::um_bridge
