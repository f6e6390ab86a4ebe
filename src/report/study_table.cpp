#include "report/study_table.h"

#include <algorithm>
#include <cmath>

#include "problems/problem.h"
#include "uq/method.h"

namespace nouq::report {
namespace {

using Json = nlohmann::ordered_json;

struct Wanted {
  std::string header, metric;
};
const std::vector<Wanted> metrics = {
    {"MSE", "mse"}, {"NLL", "nll"}, {"n-MeRCI", "nmerci"}, {"RMSCE", "rmsce"}, {"CRPS", "crps"}};

bool has_settings(const ResultJson& result, const std::string& problem, const std::string& method,
                  const StudyOptions& o) {
  const Json& s = result.at("settings");
  return s.value("problem", "") == problem && s.value("method", "") == method &&
         s.value("epochs", Index{0}) == o.epochs && s.value("samples", Index{0}) == o.samples &&
         s.value("count", Index{0}) == o.count &&
         s.at("grid").value("width", std::vector<Index>{}) == o.grid.width &&
         s.at("grid").value("rate", std::vector<double>{}) == o.grid.rate;
}

// Mean and, from two seeds on, deviation.
Cell over_seeds(const std::vector<double>& values) {
  if (values.empty()) return {};
  double mean = 0, squares = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  if (values.size() == 1) return mean;
  return {mean, std::sqrt(squares / static_cast<double>(values.size() - 1))};
}

void add_reference(const Json& paper, const std::string& problem, const std::string& range,
                   const std::string& method, const std::string& metric, Cell& cell) {
  std::string key = problem, place = range;
  std::replace(key.begin(), key.end(), '-', '_');
  std::replace(place.begin(), place.end(), '-', '_');
  const Json::json_pointer at("/uq/" + key + "/" + place + "/" + method + "/" + metric);
  if (!paper.is_object() || !paper.contains(at)) return;
  const Json& figure = paper.at(at);
  if (figure.contains("mean")) cell.reference = figure.at("mean").get<double>();
  if (figure.contains("std")) cell.reference_spread = figure.at("std").get<double>();
}

std::vector<double> values_of(const std::vector<const ResultJson*>& runs, const std::string& range,
                              const std::string& metric) {
  std::vector<double> values;
  const Json::json_pointer at("/ranges/" + range + "/metrics/none/" + metric);
  for (const ResultJson* run : runs) {
    if (run->contains(at) && run->at(at).is_number()) values.push_back(run->at(at).get<double>());
  }
  return values;
}

}  // namespace

Table study_table(const std::vector<ResultJson>& results, const std::string& problem,
                  const StudyOptions& options, const Json& paper) {
  Table table{.title = problem,
              .columns = {{.header = "range"},
                          {.header = "method"},
                          {.header = "seeds", .notation = Notation::fixed, .digits = 0}}};
  for (const Wanted& m : metrics) table.columns.push_back({.header = m.header, .best = Best::lowest});
  bool any = false;
  for (const Shift shift : all_shifts) {
    RowGroup group;
    for (const std::string& method : method_names()) {
      std::vector<const ResultJson*> runs;
      for (const ResultJson& result : results) {
        if (has_settings(result, problem, method, options)) runs.push_back(&result);
      }
      if (runs.empty()) continue;
      any = true;
      Row row = {to_string(shift), method, static_cast<double>(runs.size())};
      for (const Wanted& m : metrics) {
        row.push_back(over_seeds(values_of(runs, to_string(shift), m.metric)));
        add_reference(paper, problem, to_string(shift), method, m.metric, row.back());
      }
      group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
  }
  require(any, "no result of {} with these settings is in the store", problem);
  mark_best(table);
  return table;
}

}  // namespace nouq::report
