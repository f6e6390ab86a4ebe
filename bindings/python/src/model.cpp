// Surrogates: loaded, asked, saved.
#include <nouq/model.h>

#include "arrays.h"
#include "module.h"

namespace nouq::python {
namespace {

struct TrustArrays {
  py::array_t<double> score;  // [samples]
  py::object verdict;         // names, [samples]
};

struct Answered {
  py::array_t<double> mean, std;
  py::object trust = py::none();
  py::object samples = py::none();
  py::object band = py::none();
};

Output output(py::array_t<double>& array) {
  const Shape shape(array.shape(), array.shape() + array.ndim());
  return {array.mutable_data(), Layout(shape, Order::row_major)};
}

py::object trust_arrays(const std::vector<double>& scores, const std::vector<std::int32_t>& verdicts) {
  std::vector<std::string> names;
  for (const std::int32_t verdict : verdicts) names.emplace_back(name(static_cast<Verdict>(verdict)));
  return py::cast(TrustArrays{to_numpy(Array<double>({std::ssize(scores)}, scores)),
                              py::module_::import("numpy").attr("array")(names)});
}

Answered predict(const Model& model, const py::object& x, bool with_samples) {
  const Numbers numbers("x", x);
  const Input input = numbers.input();
  const ModelInfo info = model.info();
  Shape shape = model.answer_shape(input);
  const Index count = shape.front();
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
  const auto judged = info.has_trust ? static_cast<std::size_t>(count) : 0U;
  std::vector<double> scores(judged);
  std::vector<std::int32_t> verdicts(judged);
  if (judged > 0) {
    outputs.score = scores.data();
    outputs.verdict = verdicts.data();
  }
  {
    const py::gil_scoped_release free;
    model.predict(input, outputs);
  }
  if (judged > 0) answer.trust = trust_arrays(scores, verdicts);
  return answer;
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
      .def_property_readonly("variance", [](const Answered& a) { return a.std.attr("__mul__")(a.std); })
      .def("__repr__", [](const Answered& a) {
        return py::str("Prediction(mean{}, trust={})").format(a.mean.attr("shape"), a.trust);
      });
}

}  // namespace

void bind_model(py::module_& module) {
  bind_prediction(module);
  py::class_<Model>(module, "Model", R"(A trained surrogate.

Made by nouq.load or nouq.train. May be used from several threads at once.
)")
      .def("predict", &predict, py::arg("x"), py::arg("samples") = false,
           R"(Mean, standard deviation, trust and samples.

x is [samples, axes..., channels], or [axes...] for one sample of one channel; float32 and float64 arrays
of any order are read in place.
)")
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
      .def("__repr__", [](const Model& m) {
        return "Model('" + m.info().method + "', grid " + to_string(shape_of(m.grid())) + ")";
      });
  module.def("load", &Model::load, py::arg("path"), py::call_guard<py::gil_scoped_release>());
}

}  // namespace nouq::python
