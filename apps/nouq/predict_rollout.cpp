#include "predict_rollout.h"

#include <algorithm>
#include <cmath>

#include <nouq/files.h>
#include <unistd.h>

#include "core/error.h"
#include "plot/picture.h"
#include "plot/prediction_figure.h"
#include "plot/text_plot.h"

namespace nouq::cli {
namespace {

// [n, steps] of a number of each judgement.
template <class Member>
Array<double> over_steps(const Rollout& r, Member&& number) {
  Array<double> values({std::ssize(r.trust), std::ssize(r.trust.front())});
  double* place = values.data();
  for (const auto& steps : r.trust)
    for (const Trust& one : steps) *place++ = number(one);
  return values;
}

std::vector<NamedArray> arrays_of(const Rollout& r) {
  Array<double> deviation = r.prediction.variance;
  for (double& v : deviation) v = std::sqrt(v);
  std::vector<NamedArray> arrays = {{"mean", r.prediction.mean}, {"std", std::move(deviation)}};
  if (!r.prediction.samples.empty()) arrays.push_back({"samples", r.prediction.samples});
  if (!r.prediction.band.empty()) arrays.push_back({"band", r.prediction.band});
  for (const Axis& axis : r.grid) arrays.push_back({"axis_" + axis.name, {{axis.size()}, axis.coordinates}});
  if (r.trust.empty()) return arrays;
  arrays.push_back({"trust_score", over_steps(r, [](const Trust& t) { return t.score; })});
  arrays.push_back(
      {"trust_verdict", over_steps(r, [](const Trust& t) { return static_cast<double>(t.verdict); })});
  return arrays;
}

// The first step from which on a trajectory is not in-domain.
std::optional<std::size_t> turned(const std::vector<Trust>& steps) {
  const auto found = std::find_if(steps.begin(), steps.end(),
                                  [](const Trust& t) { return t.verdict != Verdict::in_domain; });
  return found == steps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - steps.begin()));
}

double time_after(const Rollout& r, std::size_t step) {
  const std::size_t block = r.grid.back().coordinates.size() / r.trust.front().size();
  return r.grid.back().coordinates[(step + 1) * block - 1];
}

void print_trust(const Rollout& r, const Output& output) {
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(r.trust.size(), most); ++i) {
    const Trust& last = r.trust[i].back();
    const auto when = turned(r.trust[i]);
    output.print("sample {:<5} trust score {:.2f} at the end: {}{}\n", i, last.score, name(last.verdict),
                 when ? fmt::format(", no longer in-domain from t = {:.4g} on", time_after(r, *when)) : "");
    if (!when) continue;
    for (const std::string& reason : r.trust[i][*when].reasons) output.print("{:13}{}\n", "", reason);
  }
  if (r.trust.size() > most) output.print("... and {} more\n", r.trust.size() - most);
}

// The solution at the times that were asked for, where the data go on as long.
std::vector<double> truth_of_times(const DataSet& data, const Rollout& r, Index sample) {
  const Index times = r.grid.back().size(), all = data.grid.back().size();
  const Index channels = std::ssize(data.output_channels);
  if (all <= times) return {};
  const Index space = data.outputs.size() / (data.size() * all * channels);
  std::vector<double> truth;
  for (Index s = 0; s < space; ++s) {
    const float* first = data.outputs.data() + ((sample * space + s) * all + 1) * channels;
    truth.insert(truth.end(), first, first + times * channels);
  }
  return truth;
}

plot::Figure picture(const RolloutQuestion& q, const Model& model, const DataSet& data, const Rollout& r) {
  const Prediction& p = r.prediction;
  const Index size = p.mean.size() / p.mean.extent(0), at = q.shown * size;
  const std::vector<double> truth = truth_of_times(data, r, q.shown);
  plot::Figure figure =
      plot::channels_figure(r.grid, model.outputs(),
                            {{model.info().method, p.mean.data() + at, p.variance.data() + at,
                              p.band.empty() ? nullptr : p.band.data() + at}},
                            truth.empty() ? nullptr : truth.data());
  figure.title = fmt::format("Roll-out of {} over {} steps", q.model.filename().string(), q.settings.steps);
  figure.caption = p.band.empty()
                       ? "Bands are three standard deviations: the model has no calibrated ones."
                       : "Bands contain the whole solution over the trained times with the stated coverage.";
  return figure;
}

Json json_of(const RolloutQuestion& q, const Rollout& r) {
  Json json = {{"samples", r.prediction.mean.extent(0)},
               {"shape", r.prediction.mean.shape()},
               {"steps", q.settings.steps},
               {"off_the_law", r.violation},
               {"trust", Json::array()}};
  for (const auto& steps : r.trust) {
    const auto when = turned(steps);
    json["trust"].push_back({{"score", steps.back().score},
                             {"verdict", name(steps.back().verdict)},
                             {"doubtful_from", when ? Json(time_after(r, *when)) : Json(nullptr)}});
  }
  if (!q.output.empty()) json["file"] = q.output.string();
  if (!q.figure.empty()) json["figure"] = q.figure.string();
  return json;
}

}  // namespace

void draw_figure(const std::filesystem::path& file, bool terminal, const plot::Figure& figure,
                 const Output& output) {
  if (!file.empty()) plot::write_figure(file, figure);
  if (!terminal) return;
  const bool colour = isatty(STDOUT_FILENO) == 1;
  const Index columns = terminal_columns(STDOUT_FILENO);
  output.print("{}\n", plot::text_plot(figure, {.width = columns >= 30 ? columns : 80, .colour = colour}));
}

void predict_rollout(const RolloutQuestion& q, const Model& model, Output& output) {
  require(!q.input.empty(), "--steps: give trajectories with --input; their first time is where it begins");
  const DataSet data = read(q.input.string());
  require((q.figure.empty() && !q.plot) || q.shown < data.size(),
          "--show {}: there are {} samples, numbered from 0", q.shown, data.size());
  const Rollout r = with_source(q.input.string(), [&] { return roll_out(model, data, q.settings); });
  if (!q.output.empty()) write_arrays(q.output.string(), arrays_of(r));
  if (!q.figure.empty() || q.plot) draw_figure(q.figure, q.plot, picture(q, model, data, r), output);
  print_trust(r, output);
  for (const auto& [law, off] : r.violation) output.print("{} is off by {:.2e} at most\n", law, off);
  for (const auto& path : {q.output, q.figure}) {
    if (!path.empty()) output.print("wrote {}\n", path.string());
  }
  output.result(json_of(q, r));
}

}  // namespace nouq::cli
