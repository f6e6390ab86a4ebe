#include "sample_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace nouq::cli {
namespace {

// |mean - truth| / |truth| and |sigma| / |mean - truth| of a sample; of one channel, or of all (-1).
struct Errors {
  double relative = 0;
  double sigma = 0;
};

Errors errors_of(const Prediction& p, const DataSet& data, Index sample, Index channel) {
  const Index channels = p.mean.shape().back(), size = p.mean.size() / p.mean.extent(0);
  double error = 0, truth = 0, variance = 0;
  for (Index i = sample * size; i < (sample + 1) * size; ++i) {
    if (channel >= 0 && i % channels != channel) continue;
    const auto value = static_cast<double>(data.outputs[i]);
    error += (p.mean[i] - value) * (p.mean[i] - value);
    truth += value * value;
    variance += p.variance[i];
  }
  return {std::sqrt(error / truth), std::sqrt(variance / error)};
}

std::vector<plot::Column> sample_columns(const Model& model) {
  std::vector<plot::Column> columns = {{.header = "data"}, {.header = "sample"}};
  for (const Channel& parameter : model.parameters()) columns.push_back({.header = parameter.name});
  if (model.outputs().size() == 1) columns.push_back({.header = "relative error"});
  for (const Channel& channel : model.outputs())
    if (model.outputs().size() > 1) columns.push_back({.header = "relative error " + channel.name});
  columns.push_back({.header = "sigma / error"});
  if (!model.info().has_trust) return columns;
  columns.push_back({.header = "trust", .notation = plot::Notation::fixed, .digits = 2});
  columns.push_back({.header = "verdict"});
  columns.push_back({.header = "reasons"});
  return columns;
}

plot::Row sample_row(const Model& model, const TestSet& set, const Prediction& p,
                     const std::vector<Trust>& trust, Index sample) {
  plot::Row row = {set.label, fmt::format("{}", sample)};
  const auto parameters = std::ssize(model.parameters());
  const bool known = set.data.parameters.size() == parameters * set.data.size();
  for (Index i = 0; i < parameters; ++i)
    row.push_back(known ? plot::Cell(set.data.parameters[sample * parameters + i]) : plot::Cell("-"));
  const auto channels = std::ssize(model.outputs());
  for (Index c = 0; c < channels; ++c)
    row.emplace_back(errors_of(p, set.data, sample, channels == 1 ? -1 : c).relative);
  row.emplace_back(errors_of(p, set.data, sample, -1).sigma);
  if (trust.empty()) return row;
  const Trust& judged = trust[static_cast<std::size_t>(sample)];
  row.emplace_back(judged.score);
  row.emplace_back(std::string(name(judged.verdict)));
  row.emplace_back(judged.reasons.empty() ? "-" : fmt::format("{}", fmt::join(judged.reasons, "; ")));
  return row;
}

// The samples with the largest errors first, or all in their order.
std::vector<Index> shown_samples(const Prediction& p, const DataSet& data, std::size_t most) {
  std::vector<Index> order(static_cast<std::size_t>(data.size()));
  std::iota(order.begin(), order.end(), 0);
  if (most == 0) return order;
  std::vector<double> error;
  for (const Index sample : order) error.push_back(errors_of(p, data, sample, -1).relative);
  const auto larger = [&](Index a, Index b) {
    return error[static_cast<std::size_t>(a)] > error[static_cast<std::size_t>(b)];
  };
  std::stable_sort(order.begin(), order.end(), larger);
  order.resize(std::min(most, order.size()));
  return order;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

}  // namespace

plot::Table sample_table(const Model& model, const std::vector<TestSet>& sets, int threads,
                         std::size_t most) {
  plot::Table table;
  table.columns = sample_columns(model);
  for (const TestSet& set : sets) {
    const Prediction p = predict(model, set.data, {.threads = threads});
    const std::vector<Trust> judged = trust(model, set.data, p);
    plot::RowGroup group;
    for (const Index sample : shown_samples(p, set.data, most))
      group.rows.push_back(sample_row(model, set, p, judged, sample));
    table.groups.push_back(std::move(group));
  }
  return table;
}

std::string csv_of(const plot::Table& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text += (c == 0 ? "" : ",") + quoted(table.columns[c].header);
  for (const plot::RowGroup& group : table.groups) {
    for (const plot::Row& row : group.rows) {
      text += '\n';
      for (std::size_t c = 0; c < row.size(); ++c)
        text += (c == 0 ? "" : ",") + (row[c].value ? fmt::format("{}", *row[c].value) : quoted(row[c].text));
    }
  }
  return text + '\n';
}

}  // namespace nouq::cli
