// nouq score: how good a prediction is that anybody made, by every metric its arrays allow.
#include <algorithm>
#include <optional>

#include <nouq/data.h>
#include <nouq/metrics.h>
#include <nouq/project.h>

#include "argument_values.h"
#include "commands.h"
#include "core/error.h"
#include "field_grid.h"
#include "plot/table.h"
#include "prediction_files.h"

namespace nouq::cli {
namespace {

struct ScoreOptions {
  PredictionFiles prediction;
  std::string truth;
  GridOptions grid;
  std::string mass;
  std::vector<std::string> metrics;
  bool markdown = false;
};

OptionTable score_table(ScoreOptions& options) {
  OptionTable table(
      "score", "judge a prediction of any framework against the truth",
      "Arrays are NPY, NPZ, HDF5 or CSV; FILE:ARRAY picks one of several. Every metric that the arrays allow "
      "is computed: those of uncertainty need --var, --std or --samples, the conservation error needs the "
      "law of --data, or the mass over time and the axes x, t.");
  add_prediction_options(table, options.prediction);
  table.group("Against what");
  table.add("truth", options.truth, "the true fields, of the mean's shape; by default the outputs of --data")
      .shown_as("FILE[:ARRAY]");
  table.add("mass", options.mass, "true mass [n, times], or one number; by default that of --data")
      .shown_as("FILE[:ARRAY]");
  add_grid_options(table, options.grid);
  table.group("What to show");
  table.add("metrics", options.metrics, "these alone; 'nouq metrics' describes them")
      .one_of(metric_names())
      .shown_as("METRIC");
  table.add("markdown", options.markdown, "as a Markdown table");
  table.example("nouq score --mean m.npy --var v.npy --truth u.npy", "Any framework's arrays");
  table.example("nouq score --samples heads.npy --data test.h5 --json", "Heads, on a test set of nouq");
  return table;
}

// Everything the metrics look at; MetricInput has views of it.
struct Scored {
  LoadedPrediction prediction;
  Array<double> truth;
  std::vector<double> weights;  // along x; empty: no mass
  Array<double> mass;
  std::optional<Constraints> law;  // of --data; instead of both

  [[nodiscard]] MetricInput input() const {
    return {prediction.mean.view(),
            prediction.variance.view(),
            truth.view(),
            {weights, mass.view(), law ? &law->equations() : nullptr}};
  }
};

// One number is the mass of every sample at every time.
Array<double> mass_over_time(const ScoreOptions& options, const DataSet* data, const Shape& fields) {
  const NamedValues none;
  const NamedValues& values = data != nullptr ? data->constraint_values : none;
  Array<double> mass = find_values(options.mass.empty() ? mass_name : options.mass, values, "--mass");
  return mass.size() == 1 ? Array<double>({fields[0], fields[2]}, mass[0]) : mass;
}

void add_mass(const ScoreOptions& options, const DataSet* data, Scored& scored) {
  if (data != nullptr && options.mass.empty()) {
    const Constraints law = Constraints::of(*data);
    if (law.rows() > 0) {
      scored.law = law;
      return;
    }
  }
  const bool known =
      !options.mass.empty() || (data != nullptr && data->constraint_values.contains(mass_name));
  const Shape& fields = scored.prediction.mean.shape();
  const std::size_t axes = data != nullptr ? data->grid.size() : options.grid.axes.size();
  if (!known || axes != 2) {
    require(options.mass.empty(),
            "--mass needs the two axes of the fields, space and time: give --axes x=A:B,t=A:B");
    return;
  }
  const Grid grid = data != nullptr ? data->grid : make_grid(parse_axes(options.grid), {}, fields);
  scored.weights = quadrature_weights(grid.front());
  scored.mass = mass_over_time(options, data, fields);
}

Array<double> read_truth(const ScoreOptions& options, const DataSet* data, std::size_t axes) {
  require(!options.truth.empty() || data != nullptr,
          "there is no truth to compare with: give --truth or --data");
  if (options.truth.empty()) return truth_of(*data);
  return as_fields(read_array(options.truth, {"truth", "outputs"}, "--truth"), axes,
                   "--truth " + options.truth);
}

Scored load(const ScoreOptions& options) {
  require(options.grid.axes.empty() || options.grid.data.empty(),
          "--axes and --data both give a grid: give one");
  std::optional<DataSet> data;
  if (!options.grid.data.empty()) data = read(options.grid.data.string());
  const DataSet* set = data ? &*data : nullptr;
  const std::size_t axes = data ? data->grid.size() : options.grid.axes.size();
  Scored scored;
  scored.prediction = load_prediction(options.prediction, axes);
  scored.truth = read_truth(options, set, axes);
  require(scored.truth.shape() == scored.prediction.mean.shape(),
          "the truth has shape {}, expected that of the mean, {}", to_string(scored.truth.shape()),
          to_string(scored.prediction.mean.shape()));
  add_mass(options, set, scored);
  return scored;
}

bool possible(const MetricInfo& metric, const Scored& scored) {
  return (!metric.uses_variance || !scored.prediction.variance.empty()) &&
         (!metric.uses_mass || !scored.input().mass.empty());
}

std::vector<MetricInfo> chosen_metrics(const ScoreOptions& options, const Scored& scored) {
  const std::vector<MetricInfo> all = metric_list();
  std::vector<MetricInfo> chosen;
  for (const std::string& name : options.metrics) {
    // The options allow no other names.
    chosen.push_back(
        *std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; }));
    require(
        possible(chosen.back(), scored), "metric {} needs {}", name,
        chosen.back().uses_mass ? "--mass and --axes, or --data with a mass" : "--var, --std or --samples");
  }
  for (const MetricInfo& metric : all) {
    if (options.metrics.empty() && possible(metric, scored)) chosen.push_back(metric);
  }
  return chosen;
}

// A metric that these errors do not define (all equal, say) is no reason to withhold the others, unless it
// was asked for by name.
std::optional<MetricResult> evaluate_if_defined(const MetricInfo& metric, const ScoreOptions& options,
                                                const Scored& scored, const Output& output) {
  try {
    return metric.function(scored.input());
  } catch (const Error& error) {
    if (!options.metrics.empty()) throw;
    output.say("note: {}", error.what());
    return std::nullopt;
  }
}

void run_score(const ScoreOptions& options, Output& output) {
  const Scored scored = load(options);
  // Bad arrays are refused here, so that below only a metric's own reasons are left.
  check_fields(scored.input(), "score");
  plot::Table table;
  table.columns = {{.header = "metric"}, {.header = "value", .digits = 4}, {.header = "what it says"}};
  table.groups.emplace_back();
  Json values, per_sample;
  for (const MetricInfo& metric : chosen_metrics(options, scored)) {
    const auto result = evaluate_if_defined(metric, options, scored, output);
    table.groups.front().rows.push_back(
        {metric.name, result ? plot::Cell(result->value) : plot::Cell("-"), metric.summary});
    values[metric.name] = result ? Json(result->value) : Json(nullptr);
    per_sample[metric.name] = result ? Json(result->per_sample) : Json(nullptr);
  }
  output.print("{}", options.markdown ? plot::table_markdown(table) : plot::table_text(table));
  output.result(
      {{"samples", scored.prediction.mean.extent(0)}, {"metrics", values}, {"per_sample", per_sample}});
}

}  // namespace

Command score_command() { return make_command(score_table, run_score); }

}  // namespace nouq::cli
