#include "serve/service.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "core/error.h"
#include "core/names.h"
#include "plot/explorer_page.h"
#include "serve/request.h"
#include "serve/um_bridge.h"

namespace nouq::cli {
namespace {

constexpr Index most_in_batch = 10000;

template <class Answer>
ServeReply reply_of(Answer&& answer) {
  try {
    return {200, "application/json", answer()};
  } catch (const ProtocolError& error) {
    return {400, "application/json", error_text(error.type(), error.what())};
  } catch (const Error& error) {
    const bool user = error.kind() == Error::Kind::user;
    return {user ? 400 : 500, "application/json",
            error_text(user ? "InvalidInput" : "InternalError", error.what())};
  } catch (const std::bad_alloc&) {
    return {500, "application/json", error_text("InternalError", "out of memory")};
  } catch (const std::exception& error) {
    return {500, "application/json", error_text("InternalError", error.what())};
  }
}

ServeReply no_such_path(std::string_view path) {
  return {404, "application/json", error_text("NotFound", fmt::format("there is nothing at '{}'", path))};
}

void append_trust(const ServeAnswer& answer, std::string& text) {
  const Json trust = {{"score", answer.trust ? Json(answer.trust->score) : Json()},
                      {"verdict", answer.trust ? name(answer.trust->verdict) : "unknown"},
                      {"reasons", answer.reasons}};
  text += ",\"trust\":" + trust.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_or_null(const char* key, std::span<const double> values, std::string& text, int digits = 7) {
  text += fmt::format(",\"{}\":", key);
  if (values.empty())
    text += "null";
  else
    append_numbers(values, text, digits);
}

std::string answer_text(const ServeAnswer& answer, double milliseconds) {
  std::string text = "{\"shape\":" + Json(answer.shape).dump() + ",\"mean\":";
  append_numbers(answer.mean, text);
  text += ",\"std\":";
  append_numbers(answer.deviation, text);
  append_or_null("band", answer.band, text);
  append_trust(answer, text);
  append_or_null("truth", answer.truth, text);
  append_or_null("input", std::vector<double>(answer.input.begin(), answer.input.end()), text, 9);
  text += fmt::format(",\"milliseconds\":{:.3f}}}", milliseconds);
  return text;
}

ServeQuery query_of(const Json& request) {
  static constexpr std::array<std::string_view, 6> keys = {"model", "parameters", "sample",
                                                           "input", "projection", "truth"};
  require_keys(request, keys);
  ServeQuery query;
  const int given = static_cast<int>(request.contains("parameters")) +
                    static_cast<int>(request.contains("sample")) +
                    static_cast<int>(request.contains("input"));
  require(given == 1, "the request has {} of 'parameters', 'sample' and 'input': expected exactly one",
          given);
  if (request.contains("parameters")) query.parameters = numbers_by_name(request["parameters"], "parameter");
  if (request.contains("sample")) query.sample = integer_of(request["sample"], "sample");
  if (request.contains("input")) {
    const std::vector<double> values = list_of_numbers(request["input"], "input");
    query.input.emplace(values.begin(), values.end());
  }
  if (request.contains("projection")) query.projection = text_of(request["projection"], "projection");
  if (!request.contains("truth")) return query;
  require(request["truth"].is_boolean(), "truth is {}: expected true or false", request["truth"].type_name());
  query.truth = request["truth"].get<bool>();
  return query;
}

}  // namespace

ServeService::ServeService(std::vector<std::unique_ptr<ServedModel>> models, int threads)
    : models_(std::move(models)), cores_(threads) {}

namespace {

struct UmBridgePath {
  const char* path;
  std::string (*answer)(const ServedModel& model, const Json& request);
};
constexpr std::array<UmBridgePath, 6> um_bridge_paths = {{{"/ModelInfo", um_bridge::model_info},
                                                          {"/InputSizes", um_bridge::input_sizes},
                                                          {"/OutputSizes", um_bridge::output_sizes},
                                                          {"/Evaluate", um_bridge::evaluate},
                                                          {"/Gradient", um_bridge::gradient},
                                                          {"/ApplyJacobian", um_bridge::apply_jacobian}}};

}  // namespace

const std::vector<std::string>& ServeService::post_paths() {
  static const std::vector<std::string> paths = [] {
    std::vector<std::string> list = {"/api/predict", "/api/batch"};
    for (const UmBridgePath& one : um_bridge_paths) list.emplace_back(one.path);
    return list;
  }();
  return paths;
}

const ServedModel& ServeService::find_for_um_bridge(const Json& request) const {
  const std::string wanted = text_of(member(request, "name"), "name");
  try {
    return find(wanted);
  } catch (const Error& error) {
    throw ProtocolError("ModelNotFound", error.what());
  }
}

std::string ServeService::info() const {
  Json names = Json::array();
  for (const auto& model : models_) names.push_back(model->name());
  return Json{{"protocolVersion", 1.0}, {"models", names}}.dump(-1, ' ', false,
                                                                Json::error_handler_t::replace);
}

const ServedModel& ServeService::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& model : models_) {
    if (model->name() == name) return *model;
    names.push_back(model->name());
  }
  fail_unknown_name("model", name, names);
}

std::string ServeService::model_list() const {
  Json list = Json::array();
  for (const auto& model : models_) list.push_back(model->description());
  return Json{{"models", list}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ServeAnswer ServeService::compute(const ServedModel& model, const ServeQuery& query) {
  const Core core(cores_);
  return model.answer(query);
}

std::string ServeService::predict(const Json& request) {
  const auto begin = std::chrono::steady_clock::now();
  const ServedModel& model = find(text_of(member(request, "model"), "model"));
  const ServeAnswer answer = compute(model, query_of(request));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  return answer_text(answer, took.count());
}

std::string ServeService::batch(const Json& request) {
  static constexpr std::array<std::string_view, 3> keys = {"model", "parameters", "projection"};
  require_keys(request, keys);
  const ServedModel& model = find(text_of(member(request, "model"), "model"));
  const Json& list = member(request, "parameters");
  require(list.is_array() && !list.empty() && std::ssize(list) <= most_in_batch,
          "parameters: expected a list of 1 to {} objects", most_in_batch);
  ServeQuery query;
  if (request.contains("projection")) query.projection = text_of(request["projection"], "projection");
  const std::size_t numbers = list.size() * 2 * element_count(shape_of(model.model().grid()));
  require(numbers <= 20'000'000,
          "an answer of {} numbers: expected at most 20 million; ask for fewer at a time", numbers);
  std::string text = "{\"results\":[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    query.parameters = numbers_by_name(list[i], fmt::format("parameters[{}]:", i));
    const ServeAnswer answer =
        with_source(fmt::format("parameters[{}]", i), [&] { return compute(model, query); });
    text += i == 0 ? "{\"mean\":" : ",{\"mean\":";
    append_numbers(answer.mean, text);
    text += ",\"std\":";
    append_numbers(answer.deviation, text);
    append_trust(answer, text);
    text += '}';
  }
  return text + "]}";
}

ServeReply ServeService::get(std::string_view path) {
  if (path == "/") return {200, "text/html; charset=utf-8", plot::explorer_page()};
  if (path == "/Info") return reply_of([&] { return info(); });
  if (path == "/api/models") return reply_of([&] { return model_list(); });
  return no_such_path(path);
}

ServeReply ServeService::post(std::string_view path, std::string_view body) {
  if (path == "/api/predict") return reply_of([&] { return predict(parse_request(body)); });
  if (path == "/api/batch") return reply_of([&] { return batch(parse_request(body)); });
  for (const UmBridgePath& one : um_bridge_paths) {
    if (path != one.path) continue;
    return reply_of([&] {
      const Json request = parse_request(body);
      const ServedModel& model = find_for_um_bridge(request);
      const Core core(cores_);
      return one.answer(model, request);
    });
  }
  return no_such_path(path);
}

}  // namespace nouq::cli
