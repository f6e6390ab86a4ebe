// The figures of a model report (model_page.h).
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "model_page.h"
#include "shown_bands.h"

namespace nouq::cli {
namespace {

std::string parameter_words(const ShownSet& set) {
  const DataSet& data = *set.data;
  if (data.parameters.empty() || data.parameter_names.empty()) return fmt::format("sample {}", set.sample);
  const auto columns = std::ssize(data.parameter_names);
  return fmt::format("{} = {:.4g}", data.parameter_names.front().name, data.parameters[set.sample * columns]);
}

// The sample in the middle of the samples sorted by error: neither the best nor the worst.
Index median_sample(const Prediction& p, const std::vector<double>& truth, Index size) {
  const Index count = p.mean.extent(0);
  std::vector<double> errors(count);
  for (Index i = 0; i < p.mean.size(); ++i) errors[i / size] += std::pow(p.mean[i] - truth[i], 2);
  std::vector<Index> order(errors.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return errors[a] < errors[b]; });
  return order[order.size() / 2];
}

}  // namespace

ShownSet show(const Model& model, const TestSet& set, const std::string& projection, int threads) {
  ShownSet shown;
  shown.label = set.label;
  shown.data = &set.data;
  shown.projection = projection;
  shown.before = predict(model, set.data, {uses_samples(projection), threads});
  shown.after = project(model, set.data, shown.before, {.name = projection, .threads = threads});
  shown.truth.assign(set.data.outputs.begin(), set.data.outputs.end());
  shown.size = shown.before.mean.size() / set.data.size();
  shown.sample = median_sample(shown.before, shown.truth, shown.size);
  return shown;
}

plot::Figure solution_figure(const Model& model, const ShownSet& set) {
  const Index at = set.sample * set.size;
  const bool projected = set.projection != "none";
  const ShownBands bands = shown_bands(model, set.before, set.after, projected);
  plot::Figure figure = plot::channels_figure(
      set.data->grid, model.outputs(), curves_of("prediction", set.before, set.after, projected, bands, at),
      set.truth.data() + at);
  figure.title = fmt::format("{}: {}", set.label, parameter_words(set));
  const bool maps = !figure.panels.empty() && plot::heat_map_of(figure.panels.front()) != nullptr;
  figure.caption = maps ? "The sample with the median error of this set; mean and truth share their colours."
                        : "The sample with the median error of this set. " + bands.words;
  return figure;
}

plot::Figure error_figure(const Model& model, const ShownSet& set) {
  const Index at = set.sample * set.size;
  plot::Figure figure;
  const auto channels = std::ssize(model.outputs());
  for (Index c = 0; c < channels; ++c) {
    const plot::FieldSample sample{"prediction", set.before.mean.data() + at + c,
                                   set.before.variance.data() + at + c};
    plot::Figure maps = plot::map_figure(set.data->grid, channels, sample, set.truth.data() + at + c);
    // The error and what the model believes it to be, side by side.
    for (const std::size_t shown : {3, 1}) {
      plot::Panel& panel = figure.panels.emplace_back(std::move(maps.panels[shown]));
      if (channels > 1) panel.title = model.outputs()[static_cast<std::size_t>(c)].name + ", " + panel.title;
    }
  }
  figure.title = fmt::format("{}: error and uncertainty, {}", set.label, parameter_words(set));
  figure.caption = "Left, how wrong the mean is; right, how wrong the model believes it may be.";
  return figure;
}

plot::Figure mass_figure(const std::vector<ShownSet>& sets) {
  plot::Figure figure{
      .title = "Mass over time",
      .caption =
          "The integral of the field at every time: the law, the plain prediction, and the "
          "prediction after projection, which meets the law within the noise variance it is given."};
  for (const ShownSet& set : sets) {
    const nouq::Axis& time = set.data->grid.back();
    const Constraints law = Constraints::of(*set.data);
    const auto sums = [&](const Array<double>& fields) {
      return law.sums(fields.span().subspan(set.sample * set.size, set.size));
    };
    plot::Panel panel{.title = set.label, .x = {.label = time.name}, .y = {.label = "mass"}};
    panel.series.emplace_back(
        plot::Line{.name = "prediction", .x = time.coordinates, .y = sums(set.before.mean)});
    panel.series.emplace_back(
        plot::Line{.name = "after projection", .x = time.coordinates, .y = sums(set.after.mean)});
    // Last, so that its dashes lie on the curve that meets it.
    panel.series.emplace_back(plot::Line{.name = "law",
                                         .x = time.coordinates,
                                         .y = law.right_hand_sides(set.sample),
                                         .colour = plot::Colour::ink,
                                         .stroke = plot::Stroke::dashed});
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

plot::Figure trust_figure(const Model& model, const std::vector<ShownSet>& sets) {
  plot::Figure figure{.title = "Trust score of every test sample",
                      .caption =
                          "Up to 1 a prediction counts as in-domain, beyond the upper line as out-of-domain. "
                          "Good methods lift every shifted sample above the line."};
  plot::Panel panel{.y = {.label = "trust score", .scale = plot::Scale::log}};
  for (const ShownSet& set : sets) {
    plot::Points points{.name = set.label};
    const DataSet& data = *set.data;
    const bool parameter = !data.parameters.empty() && !data.parameter_names.empty();
    panel.x.label = parameter ? data.parameter_names.front().name : "sample";
    const auto scores = trust(model, *set.data, set.before);
    for (std::size_t s = 0; s < scores.size(); ++s) {
      const auto columns = std::ssize(data.parameter_names);
      points.x.push_back(parameter ? data.parameters[static_cast<Index>(s) * columns]
                                   : static_cast<double>(s));
      points.y.push_back(scores[s].score);
    }
    panel.series.emplace_back(std::move(points));
  }
  panel.references = {{.at = 1.0, .label = "in-domain"},
                      {.at = model.info().trust->far, .label = "out-of-domain"}};
  figure.panels = {std::move(panel)};
  return figure;
}

plot::Table trust_reasons(const Model& model, const std::vector<ShownSet>& sets) {
  plot::Table table{.title = "Why",
                    .caption = "Of each set the sample with the highest score, and what speaks against it."};
  table.columns = {{.header = "data"},
                   {.header = "sample"},
                   {.header = "score", .notation = plot::Notation::fixed, .digits = 2},
                   {.header = "verdict"},
                   {.header = "reasons"}};
  plot::RowGroup group;
  for (const ShownSet& set : sets) {
    const auto judged = trust(model, *set.data, set.before);
    const auto worst = std::max_element(judged.begin(), judged.end(),
                                        [](const Trust& a, const Trust& b) { return a.score < b.score; });
    group.rows.push_back({set.label, fmt::format("{}", worst - judged.begin()), worst->score,
                          std::string(name(worst->verdict)),
                          worst->reasons.empty() ? "-" : fmt::format("{}", fmt::join(worst->reasons, "; "))});
  }
  table.groups.push_back(std::move(group));
  return table;
}

plot::Figure training_figure(const Model& model) {
  plot::Figure figure{.title = "Training",
                      .caption =
                          "Loss per sample after every epoch; the weights with the lowest "
                          "validation loss are kept."};
  plot::Panel panel{.x = {.label = "epoch"}, .y = {.label = "loss"}};
  bool positive = true;
  for (const auto& [network, history] : model.history()) {
    plot::Line train{.name = "training"}, validation{.name = "validation"};
    for (Index e = 0; e < history.extent(0); ++e) {
      for (plot::Line* line : {&train, &validation}) line->x.push_back(static_cast<double>(e + 1));
      train.y.push_back(history[3 * e]);
      validation.y.push_back(history[3 * e + 1]);
      positive = positive && history[3 * e] > 0.0 && history[3 * e + 1] > 0.0;
    }
    panel.series.emplace_back(std::move(train));
    panel.series.emplace_back(std::move(validation));
  }
  panel.y.scale = positive ? plot::Scale::log : plot::Scale::linear;  // a likelihood may be negative
  figure.panels = {std::move(panel)};
  return figure;
}

}  // namespace nouq::cli
