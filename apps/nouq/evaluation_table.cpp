#include "evaluation_table.h"

#include <algorithm>
#include <cmath>

#include <nouq/metrics.h>

#include "core/error.h"

namespace nouq::cli {
namespace {

plot::Cell cell_of(const std::optional<double>& value) {
  return value ? plot::Cell(*value) : plot::Cell("-");
}

std::optional<double> find_metric_value(const Evaluation& e, const std::string& metric) {
  for (const auto& [name, value] : e.metrics) {
    if (name == metric) return value;
  }
  return std::nullopt;
}

// Models of before hear one witness alone: nothing to set apart.
std::vector<std::string> witnesses_of(const ModelInfo& info) {
  return info.trust && info.trust->witnesses.size() > 1 ? info.trust->witnesses : std::vector<std::string>{};
}

std::optional<double> flagged_by(const Evaluation& e, const std::string& witness) {
  if (witness == "spread") return e.flagged_by_spread;
  return witness == "law" ? e.flagged_by_law : e.flagged_by_novelty;
}

std::vector<plot::Column> columns_of(const ModelInfo& info, const EvaluationChoice& choice) {
  std::vector<plot::Column> columns = {{.header = "data"}, {.header = "projection"}};
  if (info.outputs.size() > 1) columns.push_back({.header = "channel"});
  for (const std::string& metric : choice.metrics) columns.push_back({.header = metric});
  const auto add_share = [&](const char* header) {
    columns.push_back({.header = header, .notation = plot::Notation::fixed, .digits = 2});
  };
  if (info.band) add_share("band coverage");
  if (!info.has_trust) return columns;
  if (choice.sets > 1) add_share("trust AUROC");
  add_share("flagged");
  for (const std::string& witness : witnesses_of(info)) add_share(("by " + witness).c_str());
  return columns;
}

// The model's own, and the nulls that its data allow.
std::vector<std::string> sigmas_of(const Model& model, const TestSet& set, const EvaluationChoice& choice) {
  if (!choice.nulls) return {"model"};
  const auto parameters = std::ssize(model.parameters());
  const bool known = parameters > 0 && set.data.parameters.size() == parameters * set.data.size();
  return known ? std::vector<std::string>{"model", "constant", "distance"}
               : std::vector<std::string>{"model", "constant"};
}

// One channel of [..., channels], with an extent of one.
Array<double> channel_of(const Array<double>& fields, Index channel) {
  Shape shape = fields.shape();
  const Index channels = shape.back();
  shape.back() = 1;
  Array<double> one(shape);
  for (Index i = 0; i < one.size(); ++i) one[i] = fields[i * channels + channel];
  return one;
}

// A metric of one channel; of the law's, which is of a channel of its own, there is none.
std::optional<double> channel_metric(const std::string& name, const MetricInput& input) {
  const auto metrics = metric_list();
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const MetricInfo& m) { return m.name == name; });
  if (found == metrics.end() || found->uses_mass) return std::nullopt;
  try {
    return found->function(input).value;
  } catch (const Error&) {  // not defined here: of a channel of zeros, say
    return std::nullopt;
  }
}

// What each channel has by itself, of the prediction as it is after the projection.
void add_channel_rows(const Model& model, const TestSet& set, const EvaluationChoice& choice,
                      const std::string& projection, const Prediction& prediction, plot::RowGroup& group) {
  const Prediction p =
      sized_and_projected(model, set.data, prediction, {projection, choice.noise_variance, choice.threads});
  const Array<double> truth(set.data.outputs.shape(), set.data.outputs.begin(), set.data.outputs.end());
  const std::size_t width = columns_of(model.info(), choice).size();
  for (std::size_t c = 0; c < model.outputs().size(); ++c) {
    const auto channel = static_cast<Index>(c);
    const Array<double> mean = channel_of(p.mean, channel), variance = channel_of(p.variance, channel),
                        own = channel_of(truth, channel);
    plot::Row row = {set.label, projection, model.outputs()[c].name};
    for (const std::string& metric : choice.metrics)
      row.push_back(cell_of(channel_metric(metric, {mean.view(), variance.view(), own.view(), {}})));
    row.resize(width, plot::Cell("-"));
    group.rows.push_back(std::move(row));
  }
}

plot::RowGroup rows_of(const Model& model, const TestSet& set, const EvaluationChoice& choice,
                       std::vector<double>& first_scores) {
  const ModelInfo info = model.info();
  const bool samples = std::any_of(choice.projections.begin(), choice.projections.end(),
                                   [](const std::string& projection) { return uses_samples(projection); });
  const Prediction prediction = predict(model, set.data, {samples, choice.threads});
  plot::RowGroup group;
  for (const std::string& projection : choice.projections) {
    for (const std::string& sigma : sigmas_of(model, set, choice)) {
      const Evaluation e = evaluate(model, set.data, prediction,
                                    {.project = projection,
                                     .noise_variance = choice.noise_variance,
                                     .metrics = choice.insist ? choice.metrics : std::vector<std::string>{},
                                     .sigma = sigma,
                                     .threads = choice.threads});
      plot::Row row = {set.label, sigma == "model" ? projection : projection + ", sigma " + sigma};
      if (info.outputs.size() > 1) row.emplace_back("all");
      for (const std::string& metric : choice.metrics) row.push_back(cell_of(find_metric_value(e, metric)));
      if (info.band) row.push_back(cell_of(e.band_coverage));
      if (info.has_trust && choice.sets > 1)
        row.push_back(first_scores.empty() ? plot::Cell("-")
                                           : plot::Cell(auroc(first_scores, e.trust_scores)));
      if (info.has_trust) row.emplace_back(e.flagged);
      for (const std::string& witness : witnesses_of(info)) row.push_back(cell_of(flagged_by(e, witness)));
      group.rows.push_back(std::move(row));
    }
    if (info.outputs.size() > 1) add_channel_rows(model, set, choice, projection, prediction, group);
  }
  if (first_scores.empty()) {
    for (const Trust& one : trust(model, set.data, prediction)) first_scores.push_back(one.score);
  }
  return group;
}

ParameterRange trained_range(const Model& model, const Problem& problem) {
  const Provenance provenance = model.provenance();
  const auto own = provenance.find("problem");
  const bool same = own != provenance.end() && own->second == problem.name();
  return (same ? range_of(provenance) : std::nullopt).value_or(problem.range(Shift::in_domain));
}

}  // namespace

plot::Table evaluation_table(const Model& model, const std::vector<TestSet>& sets,
                             const EvaluationChoice& asked) {
  EvaluationChoice choice = asked;
  choice.sets = sets.size();
  plot::Table table;
  table.columns = columns_of(model.info(), choice);
  std::vector<double> first_scores;
  for (const TestSet& set : sets)
    table.groups.push_back(with_source(set.label, [&] { return rows_of(model, set, choice, first_scores); }));
  return table;
}

Json records(const plot::Table& table) {
  Json list = Json::array();
  for (const plot::RowGroup& group : table.groups)
    for (const plot::Row& row : group.rows) {
      Json& record = list.emplace_back(Json::object());
      for (std::size_t c = 0; c < row.size(); ++c) {
        const plot::Cell& cell = row[c];
        record[table.columns[c].header] = cell.value         ? Json(*cell.value)
                                          : cell.text == "-" ? Json(nullptr)
                                                             : Json(cell.text);
      }
    }
  return list;
}

std::string lumped_channels(const DataSet& data) {
  const auto channels = std::ssize(data.output_channels);
  std::vector<double> size(data.output_channels.size());
  for (Index i = 0; i < data.outputs.size(); ++i)
    size[static_cast<std::size_t>(i % channels)] +=
        static_cast<double>(data.outputs[i]) * static_cast<double>(data.outputs[i]);
  const auto [least, most] = std::minmax_element(size.begin(), size.end());
  const double ratio = std::sqrt(*most / *least);  // infinite beside a channel of zeros
  if (ratio < 10.0) return "";
  return fmt::format(
      "the channel {} is {} times as large as {}: figures of 'all' channels are those of {}, see the rows of each",
      data.output_channels[static_cast<std::size_t>(most - size.begin())].name,
      std::isfinite(ratio) ? fmt::format("{:.0f}", ratio) : "many",
      data.output_channels[static_cast<std::size_t>(least - size.begin())].name,
      data.output_channels[static_cast<std::size_t>(most - size.begin())].name);
}

std::vector<TestSet> shifted_sets(const Model& model, const Problem& problem, Index samples,
                                  std::uint64_t seed, int threads) {
  std::vector<TestSet> sets;
  for (const Shift shift : all_shifts) {
    const ParameterRange range =
        shift == Shift::in_domain ? trained_range(model, problem) : problem.range(shift);
    sets.push_back({to_string(shift), draw(problem, {.samples = samples,
                                                     .range = std::pair{range.low, range.high},
                                                     .seed = seed,
                                                     .grid = model.grid(),
                                                     .threads = threads})});
  }
  return sets;
}

}  // namespace nouq::cli
