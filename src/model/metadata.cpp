#include "model/metadata.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/json.h"
#include "model/model_file.h"
#include "nn/architecture.h"
#include "train/fingerprint.h"
#include "uq/network_grid.h"
#include "uq/sizing.h"

namespace nouq {
namespace {

constexpr const char* format = "nouq-model";
constexpr std::string_view fact_prefix = "fact.";

// Text from data files need not be UTF-8, JSON must be: what cannot be read is replaced.
std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }
std::string readable(const std::string& text) { return Json::parse(dump(text)).get<std::string>(); }

Json describe_network(const NetworkOptions& options) {
  Json network = describe(options);
  for (std::size_t axis = 0; axis < options.padding.size(); ++axis)
    network["padding"][axis]["points"] = options.padding[axis].points;
  return network;
}

Json describe(const Grid& grid) {
  Json axes = Json::array();
  for (const Axis& axis : grid) {
    axes.push_back({{"name", axis.name}, {"unit", axis.unit}, {"periodic", axis.periodic()}});
    if (axis.kind == AxisKind::cells) axes.back()["kind"] = name(axis.kind);
  }
  return axes;
}

Json describe(const std::vector<Channel>& channels) {
  Json list = Json::array();
  for (const Channel& channel : channels) list.push_back({{"name", channel.name}, {"unit", channel.unit}});
  return list;
}

Padding read_padding(const Json& json) {
  Padding padding;
  padding.points = integer(json.at("points"), "metadata 'network': padding");
  if (json.contains("fraction")) padding.fraction = json.at("fraction").get<double>();
  return padding;
}

NetworkOptions read_network(const Json& json) {
  const auto count = [&](const char* key) {
    return integer(json.at(key), fmt::format("metadata 'network': {}", key));
  };
  NetworkOptions options;
  options.input_channels = count("input_channels");
  options.outputs = count("outputs");
  options.modes = integers(json.at("modes"), "metadata 'network': modes");
  options.padding.clear();
  for (const Json& padding : json.at("padding")) options.padding.push_back(read_padding(padding));
  options.width = count("width");
  options.blocks = count("blocks");
  options.features = count("features");
  options.head_bias = json.at("head_bias").get<bool>();
  options.dropout = json.at("dropout").get<double>();
  if (json.contains("architecture")) options.architecture = json.at("architecture").get<std::string>();
  for (const ArchitectureSetting& setting : find_architecture(options.architecture).settings())
    options.extra[setting.name] = json.at(setting.name).get<double>();
  return options;
}

Grid read_grid(const Json& json) {
  Grid grid;
  for (const Json& axis : json) {
    const AxisKind kind = axis.contains("kind") ? axis_kind_from_name(axis.at("kind").get<std::string>())
                          : axis.at("periodic").get<bool>() ? AxisKind::periodic
                                                            : AxisKind::points;
    grid.push_back({axis.at("name").get<std::string>(), axis.at("unit").get<std::string>(), {}, kind});
  }
  return grid;
}

std::vector<Channel> read_channels(const Json& json) {
  std::vector<Channel> channels;
  for (const Json& channel : json)
    channels.push_back({channel.at("name").get<std::string>(), channel.at("unit").get<std::string>()});
  return channels;
}

const std::string& text(const Metadata& metadata, const char* key) {
  const auto found = metadata.find(key);
  require(found != metadata.end(), "metadata '{}' is missing", key);
  return found->second;
}

Index count(const Metadata& metadata, const char* key) {
  return integer(parse_json(text(metadata, key), fmt::format("metadata '{}'", key)),
                 fmt::format("metadata '{}'", key));
}

Json describe(const Laws& laws) {
  Json all = Json::object();
  for (const auto& [name, law] : laws)
    all[name] = {{"kind", "integral"}, {"axes", law.axes}, {"channel", law.channel}};
  return all;
}

Laws read_laws(const Json& json) {
  Laws laws;
  for (const auto& [name, law] : json.items())
    laws[name] = {law.at("axes").get<std::vector<std::string>>(),
                  integer(law.at("channel"), fmt::format("metadata 'laws': channel of '{}'", name))};
  return laws;
}

// JSON has no infinite numbers: what is not known is null.
Json describe(const std::vector<Bounds>& bounds) {
  const auto value = [](double bound) { return std::isinf(bound) ? Json() : Json(bound); };
  Json list = Json::array();
  for (const Bounds& b : bounds) list.push_back({{"lower", value(b.lower)}, {"upper", value(b.upper)}});
  return list;
}

std::vector<Bounds> read_bounds(const Json& json) {
  std::vector<Bounds> bounds;
  for (const Json& entry : json) {
    Bounds& b = bounds.emplace_back();
    if (!entry.at("lower").is_null()) b.lower = entry.at("lower").get<double>();
    if (!entry.at("upper").is_null()) b.upper = entry.at("upper").get<double>();
  }
  return bounds;
}

// What `read` makes of the text must say all that the text says: there is nothing in it we would pass over.
template <class Read, class Describe>
auto understood(const Metadata& metadata, const char* key, Read&& read, Describe&& say_again) {
  const Json json = parse_json(text(metadata, key), fmt::format("metadata '{}'", key));
  try {
    auto value = read(json);
    require(say_again(value) == json, "metadata '{}' holds more than is understood: {}", key, dump(json));
    return value;
  } catch (const Json::exception& error) {
    fail("metadata '{}' is not what a model file holds ({})", key, error.what());
  }
}

std::vector<Channel> read_channels(const Metadata& metadata, const char* key) {
  return understood(
      metadata, key, [](const Json& json) { return read_channels(json); },
      [](const auto& channels) { return describe(channels); });
}

}  // namespace

int format_version_of(const Surrogate& s) {
  const bool cells = std::any_of(s.grid.begin(), s.grid.end(),
                                 [](const Axis& axis) { return axis.kind == AxisKind::cells; });
  if (on_even_points(s)) return 3;
  // What changes an answer must not be passed over by a reader that does not know it.
  const bool sized = has_sizing(s) || s.state.contains("dropout.per_input");
  return cells || sized || !s.laws.empty() || !s.bounds.empty() ? 2 : 1;
}

Metadata write_metadata(const Surrogate& s) {
  Metadata metadata = {{"format", format},
                       {"version", std::to_string(format_version_of(s))},
                       {"written_by", "nouq " NOUQ_VERSION},
                       {"method", s.method},
                       {"networks", std::to_string(s.weights.size())},
                       {"network", dump(describe_network(s.network))},
                       {"grid", dump(describe(s.grid))},
                       {"input_channels", dump(describe(s.input_channels))},
                       {"output_channels", dump(describe(s.output_channels))},
                       {"parameters", dump(describe(s.parameter_names))}};
  if (!s.laws.empty()) metadata["laws"] = dump(describe(s.laws));
  if (!s.bounds.empty()) metadata["bounds"] = dump(describe(s.bounds));
  for (const auto& [key, value] : s.facts)
    metadata[std::string(fact_prefix) + readable(key)] = readable(value);
  return metadata;
}

void require_model(const Metadata& metadata) {
  const auto found = metadata.find("format");
  const auto kind = metadata.find("kind");
  require(found != metadata.end() && found->second == format, "not a nouq model but {}",
          found != metadata.end()  ? fmt::format("a file of format '{}'", found->second)
          : kind != metadata.end() ? fmt::format("a {}", kind->second)
                                   : "some other file of tensors");
  const Index version = count(metadata, "version");
  require(version >= 1, "model format version {}: there is none before 1", version);
  require(version <= model_format_version,
          "model format version {}, this nouq reads up to {}: use the nouq that wrote it ({}) or a newer one",
          version, model_format_version,
          metadata.contains("written_by") ? metadata.at("written_by") : "it does not say which");
}

Description read_metadata(const Metadata& metadata) {
  Description description;
  Surrogate& s = description.surrogate;
  s.method = text(metadata, "method");
  s.network = understood(metadata, "network", read_network, describe_network);
  s.grid = understood(metadata, "grid", read_grid, [](const Grid& grid) { return describe(grid); });
  s.input_channels = read_channels(metadata, "input_channels");
  s.output_channels = read_channels(metadata, "output_channels");
  s.parameter_names = read_channels(metadata, "parameters");
  if (metadata.contains("laws"))
    s.laws = understood(metadata, "laws", read_laws, [](const Laws& laws) { return describe(laws); });
  if (metadata.contains("bounds"))
    s.bounds =
        understood(metadata, "bounds", read_bounds, [](const auto& bounds) { return describe(bounds); });
  description.networks = count(metadata, "networks");
  for (const auto& [key, value] : metadata) {
    if (key.starts_with(fact_prefix)) s.facts[key.substr(fact_prefix.size())] = value;
  }
  return description;
}

}  // namespace nouq
