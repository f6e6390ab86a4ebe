// Surrogates: loaded, asked, saved.
#include <nouq/gradient.h>
#include <nouq/model.h>
#include <nouq/prediction.h>
#include <nouq/rollout.h>
#include <nouq/suggest.h>

#include "arrays.h"
#include "module.h"

namespace nouq::python {
namespace {

struct TrustArrays {
  py::array_t<double> score;        // [samples]
  py::object verdict;               // names, [samples]
  py::object spread, law, novelty;  // [samples], or None
  std::vector<std::vector<std::string>> reasons;
};

struct Answered {
  py::array_t<double> mean, std;
  py::object trust = py::none();
  py::object samples = py::none();
  py::object band = py::none();
  Grid grid = {};
  std::vector<std::string> names = {};  // of the channels
};

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (const Channel& channel : model.outputs()) names.push_back(channel.name);
  return names;
}

Output output(py::array_t<double>& array) {
  const Shape shape(array.shape(), array.shape() + array.ndim());
  return {array.mutable_data(), Layout(shape, Order::row_major)};
}

py::object witness_array(const std::vector<Trust>& judged, std::optional<double> Trust::*witness) {
  std::vector<double> said;
  for (const Trust& one : judged) {
    if (!(one.*witness)) return py::none();
    said.push_back(*(one.*witness));
  }
  return to_numpy(Array<double>({std::ssize(said)}, said));
}

py::object trust_arrays(const std::vector<Trust>& judged) {
  std::vector<std::string> names;
  std::vector<double> scores;
  std::vector<std::vector<std::string>> reasons;
  for (const Trust& one : judged) {
    names.emplace_back(name(one.verdict));
    scores.push_back(one.score);
    reasons.push_back(one.reasons);
  }
  return py::cast(TrustArrays{to_numpy(Array<double>({std::ssize(scores)}, scores)),
                              py::module_::import("numpy").attr("array")(names),
                              witness_array(judged, &Trust::spread), witness_array(judged, &Trust::law),
                              witness_array(judged, &Trust::novelty), std::move(reasons)});
}

Known known_of(const std::optional<std::map<std::string, py::object>>& values, const py::object& parameters) {
  Known known;
  if (values) {
    for (const auto& [name, array] : *values) known.values[name] = to_array<double>(name.c_str(), array);
  }
  known.parameters = to_array<double>("parameters", parameters);
  return known;
}

Answered predict(const Model& model, const py::object& x, bool with_samples,
                 const std::optional<std::map<std::string, py::object>>& values,
                 const py::object& parameters) {
  const Numbers numbers("x", x);
  const Input input = numbers.input();
  const ModelInfo info = model.info();
  Shape shape = model.answer_shape(input);
  const bool bare = numbers.shape().size() == info.axes.size() && shape.back() == 1;
  if (bare) shape = Shape(shape.begin() + 1, shape.end() - 1);
  Answered answer{py::array_t<double>(shape), py::array_t<double>(shape)};
  Outputs outputs{output(answer.mean), output(answer.std), {}};
  if (model.has_band(input)) {
    py::array_t<double> band(shape);
    outputs.band = output(band);
    answer.band = band;
  }
  if (with_samples && info.members > 0) {
    shape.insert(shape.begin() + (bare ? 0 : 1), info.members);
    py::array_t<double> samples(shape);
    outputs.samples = output(samples);
    answer.samples = samples;
  }
  std::vector<Trust> judged;
  const Known known = known_of(values, parameters);
  if (info.has_trust) outputs.trust = &judged;
  outputs.known = &known;
  {
    const py::gil_scoped_release free;
    model.predict(input, outputs);
  }
  if (info.has_trust) answer.trust = trust_arrays(judged);
  answer.grid = model.grid();
  answer.names = info.outputs;
  const std::size_t before = bare ? 0 : 1;
  for (std::size_t a = 0; a < answer.grid.size(); ++a) {  // an even grid of another number of points
    Axis& axis = answer.grid[a];
    const auto points = static_cast<Index>(answer.mean.shape(static_cast<py::ssize_t>(a + before)));
    if (points != axis.size())
      axis.coordinates = evenly_spaced(axis.kind, axis.coordinates.front(), axis.coordinates.back(), points);
  }
  return answer;
}

// On a grid of the caller's, over the model's domain; projected where that is asked for.
Answered predict_on(const Model& model, const Grid& grid, const py::object& x, bool with_samples,
                    const std::optional<std::map<std::string, py::object>>& values,
                    const std::string& projection, std::optional<double> noise_variance) {
  const Array<double> given = to_array<double>("x", x);
  const Array<float> inputs(given.shape(), given.begin(), given.end());
  const Known known = known_of(values, py::none());
  Prediction p;
  std::optional<Array<double>> width;
  std::vector<Trust> judged;
  {
    const py::gil_scoped_release free;
    p = nouq::predict(model, grid, inputs, {.samples = with_samples || uses_samples(projection)});
    judged = trust(model, grid, inputs, known.values, p);
    if (projection == "none") {
      width = band(model, p);
    } else {
      p = sized_and_projected(model, grid, known.values, p, {projection, noise_variance, 0});
      if (!p.band.empty()) width = p.band;
    }
    for (double& v : p.variance) v = std::sqrt(v);
  }
  Answered answer{to_numpy(p.mean), to_numpy(p.variance)};
  answer.grid = grid;
  answer.names = names_of(model);
  if (with_samples && !p.samples.empty()) answer.samples = to_numpy(p.samples);
  if (width) answer.band = to_numpy(*width);
  if (!judged.empty()) answer.trust = trust_arrays(judged);
  return answer;
}

Answered predict_anywhere(const Model& model, const py::object& x, bool with_samples,
                          const std::optional<std::map<std::string, py::object>>& values,
                          const py::object& parameters, const std::optional<Grid>& grid,
                          const std::string& project, std::optional<double> noise_variance) {
  if (!grid && project == "none") return predict(model, x, with_samples, values, parameters);
  require(parameters.is_none(), "predict: parameters go with neither grid nor project: leave them out");
  return predict_on(model, grid ? *grid : model.grid(), x, with_samples, values, project, noise_variance);
}

// [n][steps] of trust as arrays.
py::object trust_over_steps(const Rollout& r) {
  if (r.trust.empty()) return py::none();
  const auto count = std::ssize(r.trust), steps = std::ssize(r.trust.front());
  Array<double> score({count, steps});
  std::vector<std::vector<std::string>> verdict, reasons;
  for (Index i = 0; i < count; ++i) {
    verdict.emplace_back();
    for (Index k = 0; k < steps; ++k) {
      const Trust& one = r.trust[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
      score[i * steps + k] = one.score;
      verdict.back().emplace_back(name(one.verdict));
    }
    reasons.push_back(r.trust[static_cast<std::size_t>(i)].back().reasons);
  }
  return py::cast(TrustArrays{to_numpy(score), py::module_::import("numpy").attr("array")(verdict),
                              py::none(), py::none(), py::none(), std::move(reasons)});
}

Answered roll_out_from(const Model& model, const py::object& start, Index steps, const std::string& project,
                       bool with_samples, std::optional<double> noise_variance) {
  const RolloutSettings settings{steps, project, noise_variance, with_samples, 0};
  const bool trajectories = py::isinstance<DataSet>(start);
  Array<float> states;
  if (!trajectories) states = to_array<float>("start", start);
  const DataSet* data = trajectories ? &start.cast<const DataSet&>() : nullptr;
  Rollout r;
  {
    const py::gil_scoped_release free;
    Grid space = model.grid();
    if (model.info().rollout && model.info().rollout->block > 1) space.pop_back();
    r = data != nullptr ? nouq::roll_out(model, *data, settings)
                        : nouq::roll_out(model, space, states, settings);
    for (double& v : r.prediction.variance) v = std::sqrt(v);
  }
  Answered answer{to_numpy(r.prediction.mean), to_numpy(r.prediction.variance)};
  if (!r.prediction.samples.empty()) answer.samples = to_numpy(r.prediction.samples);
  if (!r.prediction.band.empty()) answer.band = to_numpy(r.prediction.band);
  answer.trust = trust_over_steps(r);
  answer.grid = r.grid;
  answer.names = names_of(model);
  return answer;
}

// The next runs in some ranges: a list of dictionaries.
py::list suggestions(const Model& model, const std::map<std::string, std::pair<double, double>>& ranges,
                     Index count, Index among, std::uint64_t seed) {
  const InputParameters parameters(model);
  std::vector<AskedRange> asked;
  for (const auto& [name, range] : ranges) asked.push_back({name, range.first, range.second});
  const Array<double> points = points_in(parameters, asked, among, "sobol", seed);
  std::vector<Suggestion> chosen;
  {
    const py::gil_scoped_release free;
    chosen = suggest(model, parameters.question(points), {.count = count});
  }
  py::list list;
  for (const Suggestion& s : chosen) {
    py::dict values;
    for (std::size_t c = 0; c < parameters.list().size(); ++c)
      values[py::str(parameters.list()[c].name)] = points.row(s.candidate).span()[c];
    list.append(py::dict(py::arg("parameters") = values, py::arg("error") = s.error, py::arg("gain") = s.gain,
                         py::arg("verdict") = std::string(name(s.verdict))));
  }
  return list;
}

// Derivatives of the mean. The result has the shape of x, or that of a prediction.
py::array_t<double> gradient_at(const Model& model, const py::object& x, const py::object& sensitivity) {
  const Numbers at("x", x), weights("sensitivity", sensitivity);
  py::array_t<double> result(at.shape());
  const Output place = output(result);
  const py::gil_scoped_release free;
  gradient(model, at.input(), weights.input(), place);
  return result;
}

py::array_t<double> derivative_at(const Model& model, const py::object& x, const py::object& direction) {
  const Numbers at("x", x), along("direction", direction);
  Shape shape = model.answer_shape(at.input());
  if (at.shape().size() == model.grid().size() && shape.back() == 1)
    shape = Shape(shape.begin() + 1, shape.end() - 1);
  py::array_t<double> result(shape);
  const Output place = output(result);
  const py::gil_scoped_release free;
  derivative(model, at.input(), along.input(), place);
  return result;
}

// [parameters] becomes one sample.
Array<double> rows(const char* name, const py::object& values) {
  Array<double> array = to_array<double>(name, values);
  return array.rank() == 1 ? Array<double>({1, array.size()}, array.begin(), array.end()) : array;
}

py::array_t<double> gradient_by_parameters(const Model& model, const py::object& values,
                                           const py::object& sensitivity) {
  return to_numpy(parameter_gradient(model, InputParameters(model), rows("values", values),
                                     to_array<double>("sensitivity", sensitivity)));
}

py::array_t<double> derivative_by_parameters(const Model& model, const py::object& values,
                                             const py::object& direction) {
  return to_numpy(parameter_derivative(model, InputParameters(model), rows("values", values),
                                       rows("direction", direction)));
}

py::list parameters_of(const Model& model) {
  py::list list;
  if (!InputParameters::known(model)) return list;
  const InputParameters parameters(model);
  for (const InputParameter& p : parameters.list()) {
    list.append(py::dict(py::arg("name") = p.name, py::arg("symbol") = p.symbol, py::arg("unit") = p.unit,
                         py::arg("trained") = py::make_tuple(p.trained.low, p.trained.high),
                         py::arg("range") = py::make_tuple(p.range.low, p.range.high)));
  }
  return list;
}

// "Model('diverse', k -> u on x 100, t 20; 10 members, bands of 90 %, trust)"
std::string words_of(const Model& model) {
  const ModelInfo info = model.info();
  const auto listed = [](const auto& items, const auto& word) {
    std::string text;
    for (const auto& item : items) text += (text.empty() ? "" : ", ") + word(item);
    return text;
  };
  const auto own = [](const std::string& name) { return name; };
  std::string text = fmt::format(
      "Model('{}', {} -> {} on {}", info.method, listed(info.inputs, own), listed(info.outputs, own),
      listed(model.grid(), [](const Axis& a) { return fmt::format("{} {}", a.name, a.size()); }));
  if (info.members > 0) text += fmt::format("; {} members", info.members);
  if (info.band_coverage > 0) text += fmt::format("; bands of {:.3g} %", 100 * info.band_coverage);
  if (info.has_trust) text += "; trust";
  if (info.rollout) text += fmt::format("; a step of {} times", info.rollout->block);
  return text + ")";
}

py::dict arrays_of(const std::map<std::string, Array<double>>& arrays) {
  py::dict result;
  for (const auto& [name, array] : arrays) result[py::str(name)] = to_numpy(array);
  return result;
}

void bind_prediction(py::module_& module) {
  py::class_<TrustArrays>(module, "Trust", "How far each input is from the training data.")
      .def_readonly("score", &TrustArrays::score, "One number per sample; up to 1 is in domain.")
      .def_readonly("verdict", &TrustArrays::verdict, "'in-domain', 'doubtful' or 'out-of-domain'.")
      .def_readonly("spread", &TrustArrays::spread,
                    "The size of sigma, in multiples of what is usual of held-out samples; or None.")
      .def_readonly("law", &TrustArrays::law,
                    "By how much the law is violated, likewise; None where its values are not given.")
      .def_readonly("novelty", &TrustArrays::novelty,
                    "How far the input is from those of training, likewise; or None.")
      .def_readonly("reasons", &TrustArrays::reasons,
                    "For each sample why it is not in-domain, most important first: a list of sentences.")
      .def("__repr__", [](const TrustArrays& trust) {
        return py::str("Trust(score={}, verdict={})").format(trust.score, trust.verdict);
      });
  py::class_<Answered>(module, "Prediction", "What a model says about its inputs.")
      .def_readonly("mean", &Answered::mean)
      .def_readonly("std", &Answered::std, "Standard deviation, of the shape of the mean.")
      .def_readonly("trust", &Answered::trust, "A Trust, or None when the model was not calibrated.")
      .def_readonly("samples", &Answered::samples, "[samples, members, axes..., channels], or None.")
      .def_readonly("band", &Answered::band,
                    "Half widths of bands that contain the truth with the model's band_coverage, or None.")
      .def_readonly("grid", &Answered::grid, "The points of the mean, a list of Axis.")
      .def_readonly("output_names", &Answered::names)
      .def_property_readonly("variance", [](const Answered& a) { return a.std.attr("__mul__")(a.std); })
      .def("__repr__", [](const Answered& a) {
        return py::str("Prediction(mean {}, std, {}{}trust {})")
            .format(a.mean.attr("shape"), a.band.is_none() ? "" : "band, ",
                    a.samples.is_none() ? "" : "samples, ",
                    a.trust.is_none() ? py::object(py::str("none"))
                                      : py::module_::import("numpy").attr("unique")(a.trust.attr("verdict")));
      });
}

}  // namespace

void bind_model(py::module_& module) {
  bind_prediction(module);
  py::class_<Model>(module, "Model", R"(A trained surrogate.

Made by nouq.load or nouq.train. May be used from several threads at once.
)")
      .def("predict", &predict_anywhere, py::arg("x"), py::arg("samples") = false,
           py::arg("values") = py::none(), py::arg("parameters") = py::none(), py::arg("grid") = py::none(),
           py::arg("project") = "none", py::arg("noise_variance") = py::none(),
           R"(Mean, standard deviation, trust and samples.

x is [samples, axes..., channels], or [axes...] for one sample of one channel; float32 and float64 arrays
of any order are read in place. For trust: values, a dictionary of the right-hand sides of the model's laws
by name ([samples, places...], or [places...] for all samples), and parameters [samples, parameters].
With grid, a list of Axis, x [samples, axes..., channels] is on those points, any over the model's domain.
With project ('bounded', 'diagonal', 'low-rank', ...) the answer is projected onto the model's laws, of which values
has the right-hand sides, and into its bounds; noise_variance says how strictly, 0 exactly.
)")
      .def("roll_out", &roll_out_from, py::arg("start"), py::arg("steps"), py::arg("project") = "none",
           py::arg("samples") = false, py::arg("noise_variance") = py::none(),
           R"(A model of a time step (trained with rollout), applied steps times.

start is a DataSet of trajectories, whose first time is the beginning, or states [samples, space..., channels]. The
result has the times after it as its last axis; trust has a score and a verdict for every step, [samples, steps], and
the reasons of the last. With project the law holds at every step.
)")
      .def("suggest", &suggestions, py::arg("ranges"), py::arg("count") = 8, py::arg("among") = 512,
           py::arg("seed") = 0,
           R"(Which runs to do next: a list of parameters, error, gain and verdict, best first.

ranges has (low, high) of each of the model's parameters by name; as many points of them as among says are
looked at. gain is the share of the sum of squared expected errors that a run takes away after those before.
)")
      .def("gradient", &gradient_at, py::arg("x"), py::arg("sensitivity"),
           R"(The sum over outputs of sensitivity * d mean / d input, of the shape of x.

sensitivity has the shape of the mean. By the networks' adjoint; before any projection.
)")
      .def("derivative", &derivative_at, py::arg("x"), py::arg("direction"),
           R"(The sum over inputs of d mean / d input * direction, of the shape of the mean.

direction has the shape of x.
)")
      .def_property_readonly(
          "parameters", &parameters_of,
          R"(What the inputs are functions of: a list of name, symbol, unit, trained and range.

Empty where the inputs are fields.
)")
      .def(
          "inputs_of",
          [](const Model& m, const py::object& values) {
            return to_numpy(InputParameters(m).inputs(rows("values", values)));
          },
          py::arg("values"), "The input fields, [n, axes..., channels], of [n, parameters] or [parameters].")
      .def(
          "parameter_gradient", &gradient_by_parameters, py::arg("values"), py::arg("sensitivity"),
          "gradient by the parameters: values and the result are [n, parameters], sensitivity [n, axes..., channels].")
      .def(
          "parameter_derivative", &derivative_by_parameters, py::arg("values"), py::arg("direction"),
          "derivative by the parameters: values and direction are [n, parameters], the result [n, axes..., channels].")
      .def("save", &Model::save, py::arg("path"), py::call_guard<py::gil_scoped_release>(),
           "Writes the model to one file.")
      .def("set_threads", &Model::set_threads, py::arg("threads"),
           "Threads of one call of predict: 1 unless set, 0 means all cores.")
      .def_property_readonly("method", [](const Model& m) { return m.info().method; })
      .def_property_readonly("grid", &Model::grid)
      .def_property_readonly(
          "band_coverage", [](const Model& m) { return m.info().band_coverage; },
          "The probability that a band was calibrated for; 0 when the model has none.")
      .def_property_readonly(
          "laws",
          [](const Model& m) {
            std::map<std::string, std::pair<std::vector<std::string>, Index>> laws;
            for (const LawInfo& law : m.info().laws) laws[law.name] = {law.axes, law.channel};
            return laws;
          },
          "Its conservation laws by name: the axes that are integrated over, and the output channel.")
      .def_property_readonly(
          "bounds",
          [](const Model& m) {
            std::vector<std::pair<double, double>> bounds;
            const ModelInfo info = m.info();
            for (std::size_t c = 0; c < info.lower.size(); ++c)
              bounds.emplace_back(info.lower[c], info.upper[c]);
            return bounds;
          },
          "(lower, upper) of each output channel, or nothing.")
      .def_property_readonly(
          "members", [](const Model& m) { return m.info().members; },
          "Samples of a prediction: heads, networks, masks.")
      .def_property_readonly("has_trust", [](const Model& m) { return m.info().has_trust; })
      .def_property_readonly("input_names", [](const Model& m) { return m.info().inputs; })
      .def_property_readonly("output_names", [](const Model& m) { return m.info().outputs; })
      .def_property_readonly("facts", &Model::facts, "What is known about its making: options, seeds, data.")
      .def_property_readonly(
          "history", [](const Model& m) { return arrays_of(m.history()); },
          "Per network [epochs, 3]: training loss, validation loss, learning rate.")
      .def("__repr__", [](const Model& m) { return words_of(m); });
  module.def("load", &Model::load, py::arg("path"), py::call_guard<py::gil_scoped_release>());
}

}  // namespace nouq::python
