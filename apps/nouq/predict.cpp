// nouq predict: mean, standard deviation and trust for new inputs.
#include <algorithm>
#include <cmath>
#include <optional>

#include "commands.h"
#include "core/error.h"
#include "core/grid_domain.h"
#include "field_grid.h"
#include "output.h"
#include "plot/picture.h"
#include "plot/prediction_figure.h"
#include "predict_rollout.h"
#include "question.h"
#include "shown_bands.h"

namespace nouq::cli {
namespace {

struct PredictCommand {
  std::filesystem::path model;
  std::filesystem::path input;
  std::vector<std::string> parameters;
  std::string projection = "none";
  std::optional<double> noise_variance;
  std::vector<std::string> values;
  std::string sizing;
  bool samples = false;
  std::filesystem::path output;
  std::filesystem::path figure;
  bool plot = false;
  Index shown = 0;
  Index steps = 0;
  int threads = 0;
};

OptionTable predict_table(PredictCommand& o) {
  OptionTable table(
      "predict", "mean, standard deviation and trust flag for new inputs",
      "Inputs come from a file (a data set, or an array 'inputs' or a single array of [samples, axes..., "
      "channels]) or, where the training data came from a built-in problem, from a value of its "
      "parameter. A projection needs the conservation law: data sets with 'mass' or laws of their own, --values, "
      "or --param of a built-in problem; or, to keep to bounds, a model that knows them.");
  table.add("model", o.model, "the model file").as_positional().as_required();
  table.group("Inputs");
  table.add("input", o.input, "file with the inputs: NPZ, NPY or HDF5").with_letter('i').shown_as("FILE");
  table
      .add("param", o.parameters,
           "value of the problem's parameter, e.g. m=6.2; several give several samples. For data of your "
           "own: the value of each input channel, the same everywhere")
      .shown_as("NAME=VALUE");
  table.group("Answer");
  table.add("conserve", o.projection, "projection onto the conservation law").one_of(projection_names());
  table
      .add("noise-variance", o.noise_variance,
           "variance with which the law is enforced, instead of the projection's own")
      .at_least(0);
  table
      .add("values", o.values,
           "files with the values of the model's laws by name, such as mass [samples, times], for inputs "
           "that are no data set; 'nouq info' names the laws")
      .shown_as("FILE");
  add_sizing_option(table, o.sizing);
  table
      .add(
          "steps", o.steps,
          "of a model of a time step (train --rollout): how often to apply it, from the first time of the input; 0: it is none")
      .at_least(0)
      .about(
          "Heads, networks or masks go their own ways, and the mean and the spread are theirs. With --conserve the "
          "law holds exactly at every step, unless --noise-variance is given: at the data's values, or, for what "
          "stays the same in all training trajectories, at the integral of the initial state.");
  table.add("samples", o.samples, "also write heads, networks or masks");
  table.add("output", o.output, "where to: NAME.npz or NAME.h5").with_letter('o').shown_as("FILE");
  table.add("figure", o.figure, "a picture of one sample: NAME.svg or NAME.png").shown_as("FILE");
  table.add("plot", o.plot, "draw one sample here, in the terminal");
  table.add("show", o.shown, "which sample to draw").at_least(0);
  table.add("threads", o.threads, "0 for all cores").at_least(0);
  table.example("nouq predict pme.nouq --param m=6.2 --conserve bounded --plot", "Ask outside the data");
  table.example("nouq predict burgers.nouq --input start.npz --steps 200 --conserve bounded -o later.npz",
                "A model of a time step, 200 times");
  table.example("nouq predict mine.nouq --input query.npz -o answer.npz", "Answers to a file of questions");
  return table;
}

plot::Figure picture(const PredictCommand& o, const Model& model, const Question& question,
                     const Prediction& before, const Prediction& after) {
  const Index count = after.mean.extent(0), size = after.mean.size() / count;
  const Index at = o.shown * size;
  const bool projected = o.projection != "none";
  const ShownBands bands = shown_bands(model, before, after, projected);
  std::vector<double> truth;
  if (question.data && question.data->outputs.shape() == after.mean.shape())
    truth.assign(question.data->outputs.begin() + at, question.data->outputs.begin() + at + size);
  plot::Figure figure = plot::channels_figure(
      question.grid, model.outputs(), curves_of(model.info().method, before, after, projected, bands, at),
      truth.empty() ? nullptr : truth.data());
  const bool maps = !figure.panels.empty() && plot::heat_map_of(figure.panels.front()) != nullptr;
  figure.title =
      fmt::format("Prediction of {}{}", o.model.filename().string(), maps ? "" : ", with " + bands.brief);
  if (!maps) figure.caption = bands.words;
  return figure;
}

Json json_of(const Trust& t) {
  const auto said = [](const std::optional<double>& witness) {
    return witness ? Json(*witness) : Json(nullptr);
  };
  return {{"score", t.score},   {"verdict", name(t.verdict)}, {"spread", said(t.spread)},
          {"law", said(t.law)}, {"novelty", said(t.novelty)}, {"reasons", t.reasons}};
}

Json json_of(const std::vector<Trust>& trusts, const std::vector<OutOfRange>& outside, const Prediction& p,
             const PredictCommand& o) {
  Json json = {{"samples", p.mean.extent(0)}, {"shape", p.mean.shape()}, {"trust", Json::array()}};
  for (const Trust& t : trusts) json["trust"].push_back(json_of(t));
  json["out_of_range"] = Json::array();
  for (const OutOfRange& one : outside)
    json["out_of_range"].push_back(
        {{"input", one.channel}, {"low", one.low}, {"high", one.high}, {"share", one.share}});
  if (!o.output.empty()) json["file"] = o.output.string();
  if (!o.figure.empty()) json["figure"] = o.figure.string();
  return json;
}

void check_outputs(const PredictCommand& o) {
  for (const auto& [name, path] : {std::pair{"--output", o.output}, std::pair{"--figure", o.figure}})
    require_free_output(name, path, {o.model, o.input});
  require_two_files("--output", o.output, "--figure", o.figure);
  if (!o.output.empty()) require_writable(o.output.string());
  if (o.figure.empty()) return;
  plot::require_drawable(o.figure);
  require_folder("--figure", o.figure);
}

// Inputs that are no data set need the values of a law of the model, or its bounds.
void require_physics(const PredictCommand& o, const Model& model, const NamedValues& values) {
  const Laws laws = model.laws();
  const bool has_law =
      std::any_of(laws.begin(), laws.end(), [&](const auto& law) { return values.contains(law.first); });
  const bool has_bounds = std::any_of(model.bounds().begin(), model.bounds().end(), [](const Bounds& bounds) {
    return std::isfinite(bounds.lower) || std::isfinite(bounds.upper);
  });
  require(has_law || has_bounds,
          "--conserve {}: the conservation law is not known for these inputs; give a data set with 'mass', "
          "or --param with a model of a built-in problem",
          o.projection);
}

// Onto the law of the data where there are some; else onto what the model knows, with the values of --values.
Prediction projected(const PredictCommand& o, const Model& model, const Question& question,
                     const NamedValues& values, const Prediction& before) {
  if (o.projection == "none") return before;
  require(o.values.empty() || !question.data, "--values is for inputs that are no data set");
  const Projection projection{o.projection, o.noise_variance, o.threads};
  if (question.data) return sized_and_projected(model, *question.data, before, projection);
  require_physics(o, model, values);
  return sized_and_projected(model, question.grid, values, before, projection);
}

// Where the law's values are there, the variance must explain by how much it is violated.
void size(const PredictCommand& o, const Model& model, const Question& question, const NamedValues& values,
          Prediction& prediction) {
  if (question.data) return size_by_law(model, *question.data, prediction);
  require(
      o.sizing != "law" || !values.empty(),
      "--sizing law: the values of the law are not known for these inputs; give them with --values, or a data "
      "set that has them");
  size_by_law(model, question.grid, values, prediction);
}

Question checked_question(const PredictCommand& o, const Model& model) {
  const Wanted wanted{.law = o.projection != "none" || o.sizing == "law",
                      .cheap_law = listens_to_law(model),
                      .truth = !o.figure.empty() || o.plot};
  Question question = question_of(o.input, o.parameters, model, wanted);
  if (question.data) require_same_domain(model.grid(), question.data->grid, o.input.string());
  const Index count = question.inputs.rank() == 0 ? 0 : question.inputs.extent(0);
  require((o.figure.empty() && !o.plot) || o.shown < count,
          "--show {}: there are {} samples, numbered from 0", o.shown, count);
  return question;
}

bool is_rollout(const PredictCommand& o, const Model& model) {
  if (o.steps == 0) return false;
  require(model.info().rollout.has_value(),
          "--steps: {} is no model of a time step; train one with nouq train --rollout", o.model.string());
  require(o.parameters.empty() && o.values.empty() && o.sizing.empty(),
          "--steps goes with --input: leave --param, --values and --sizing out");
  return true;
}

void run_predict(const PredictCommand& o, Output& output) {
  check_outputs(o);
  const Model model = load_sized(o.model, o.sizing);
  if (is_rollout(o, model))
    return predict_rollout({o.model,
                            o.input,
                            o.output,
                            o.figure,
                            {.steps = o.steps,
                             .project = o.projection,
                             .noise_variance = o.noise_variance,
                             .samples = o.samples,
                             .threads = o.threads},
                            o.plot,
                            o.shown},
                           model, output);
  const Question question = checked_question(o, model);
  const std::vector<OutOfRange> outside = out_of_range(model, question.inputs);
  for (const OutOfRange& one : outside)
    output.say("note: input {} leaves the range of the training data, [{:.4g}, {:.4g}], at {} of the points",
               one.channel, one.low, one.high,
               one.share < 0.01 ? "less than 1 %" : fmt::format("{:.0f} %", 100.0 * one.share));
  const bool need_samples = o.samples || uses_samples(o.projection);
  Prediction before = predict(model, question.grid, question.inputs, {need_samples, o.threads});
  NamedValues values;  // of the model's laws, for inputs that are no data set
  for (const std::string& path : o.values) add_values_of(path, values);
  const std::vector<Trust> trusts = question.data
                                        ? trust(model, *question.data, before)
                                        : trust(model, question.grid, question.inputs, values, before);
  Prediction after = projected(o, model, question, values, before);
  size(o, model, question, values, before);
  if (o.projection == "none") after = before;
  if (!o.samples) after.samples = {};  // were needed for the projection alone
  if (!o.output.empty())
    write_arrays(o.output.string(), answer_arrays(model, o.projection, after, trusts, output));
  if (!o.figure.empty() || o.plot)
    draw_figure(o.figure, o.plot, picture(o, model, question, before, after), output);
  print_answer(after, trusts, output);
  for (const auto& path : {o.output, o.figure}) {
    if (!path.empty()) output.print("wrote {}\n", path.string());
  }
  output.result(json_of(trusts, outside, after, o));
}

}  // namespace

Command predict_command() { return make_command(predict_table, run_predict); }

}  // namespace nouq::cli
