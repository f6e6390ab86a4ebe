#include "question.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>
#include <nouq/files.h>
#include <nouq/problem_data.h>

#include "argument_values.h"
#include "core/error.h"
#include "core/grid_domain.h"

namespace nouq::cli {
namespace {

// Inputs that are the same everywhere, one value a channel: what runs with a table of parameters were
// imported as.
Question from_channel_values(const std::vector<std::string>& parameters, const Model& model) {
  const std::map<std::string, std::string> given = parse_pairs(parameters, "--param");
  Shape shape = shape_of(model.grid());
  shape.insert(shape.begin(), 1);
  const auto channels = std::ssize(model.inputs());
  shape.push_back(channels);
  Array<float> inputs(shape);
  std::string names;
  for (const Channel& channel : model.inputs()) names += (names.empty() ? "" : ", ") + channel.name;
  for (Index c = 0; c < channels; ++c) {
    const auto value = given.find(model.inputs()[c].name);
    require(value != given.end() && given.size() == static_cast<std::size_t>(channels),
            "--param: the model takes {}: give each of them once, or the inputs with --input", names);
    const auto number = static_cast<float>(parse_number(value->second, "--param " + value->first));
    for (Index i = c; i < inputs.size(); i += channels) inputs[i] = number;
  }
  return {std::move(inputs), model.grid(), std::nullopt};
}

Question from_parameters(const std::vector<std::string>& parameters, const Model& model,
                         const Wanted& wanted) {
  const Provenance provenance = model.provenance();
  const auto problem = problem_of(provenance);
  if (!problem) return from_channel_values(parameters, model);
  const std::vector<double> values = parse_parameters(parameters, *problem);
  const bool law = wanted.law || (wanted.cheap_law && !problem->mass_needs_solver());
  DataSet data =
      wanted.truth ? solve(*problem, values, model.grid()) : unsolved(*problem, values, model.grid(), law);
  data.provenance = provenance;  // bounds depend on the problem's options
  return {data.inputs, data.grid, std::move(data)};
}

// Plain arrays say nothing about where their points are. A wrong number of axes is for `predict` to refuse.
Grid grid_of(const Array<float>& inputs, const Grid& trained) {
  if (inputs.rank() != trained.size() + 2) return trained;
  return regridded(trained, {inputs.shape().begin() + 1, inputs.shape().end() - 1});
}

Question from_file(const std::filesystem::path& path, const Model& model) {
  InputFile file = read_inputs(path.string());
  Grid grid = file.data ? file.data->grid : grid_of(file.inputs, model.grid());
  return {std::move(file.inputs), std::move(grid), std::move(file.data)};
}

}  // namespace

Question question_of(const std::filesystem::path& input, const std::vector<std::string>& parameters,
                     const Model& model, const Wanted& wanted) {
  require(input.empty() != parameters.empty(), "give the inputs: either --input FILE or --param NAME=VALUE");
  return input.empty() ? from_parameters(parameters, model, wanted) : from_file(input, model);
}

bool listens_to_law(const Model& model) {
  const ModelInfo info = model.info();
  if (info.sizing && info.sizing->by_law) return true;
  if (!info.trust) return false;
  const std::vector<std::string>& heard = info.trust->witnesses;
  return std::find(heard.begin(), heard.end(), "law") != heard.end();
}

void add_sizing_option(OptionTable& table, std::string& sizing) {
  table
      .add(
          "sizing", sizing,
          "how sigma is sized: as the method gives it (none, without trust and bands), by held-out samples (data), "
          "or also by how much the law is violated (law); what the model has, unless given")
      .one_of({"none", "data", "law"})
      .about(
          "Sizing makes std a standard deviation: held-out samples say how large errors are, and a prediction that "
          "violates its conservation law by more than they do has a larger one.");
}

Model load_sized(const std::filesystem::path& path, const std::string& sizing) {
  const Model model = Model::load(path.string());
  return sizing.empty() ? model : with_source(path.string(), [&] { return model.sized(sizing); });
}

std::vector<OutOfRange> out_of_range(const Model& model, const Array<float>& inputs) {
  std::vector<OutOfRange> list;
  const auto channels = std::ssize(model.inputs());
  for (Index c = 0; c < channels && model.input_range().size() == 2 * channels; ++c) {
    const double low = model.input_range()[2 * c], high = model.input_range()[2 * c + 1];
    Index outside = 0;
    for (Index i = c; i < inputs.size(); i += channels)
      outside += static_cast<double>(inputs[i]) < low || static_cast<double>(inputs[i]) > high ? 1 : 0;
    if (outside > 0)
      list.push_back({model.inputs()[c].name, low, high,
                      static_cast<double>(outside * channels) / static_cast<double>(inputs.size())});
  }
  return list;
}

namespace {

Array<double> standard_deviation(const Prediction& p) {
  Array<double> deviation = p.variance;
  for (double& v : deviation) v = std::sqrt(v);
  return deviation;
}

// A projection brings its own band, where the model is calibrated for it.
void add_band(const Model& model, const std::string& projection, const Prediction& p,
              std::vector<NamedArray>& arrays, const Output& output) {
  if (!model.info().band) return;
  if (projection != "none" && !p.band.empty()) return arrays.push_back({"band", p.band});
  if (projection != "none")
    return output.say("note: no 'band' is written: the model has none for this projection of these inputs");
  auto width = band(model, p);
  if (width) return arrays.push_back({"band", std::move(*width)});
  Shape expected = shape_of(model.grid());
  expected.push_back(std::ssize(model.outputs()));
  output.say(
      "note: no 'band' is written: the model's bands are for fields of shape {}, the prediction "
      "has shape {}",
      to_string(expected), to_string(p.variance.shape()));
}

// Those that were heard of every sample.
void add_witnesses(const std::vector<Trust>& trusts, std::vector<NamedArray>& arrays) {
  for (const auto& [name, witness] :
       {std::pair{"trust_spread", &Trust::spread}, std::pair{"trust_law", &Trust::law},
        std::pair{"trust_novelty", &Trust::novelty}}) {
    Array<double> said({std::ssize(trusts)});
    bool heard = true;
    for (std::size_t i = 0; i < trusts.size(); ++i) {
      heard = heard && (trusts[i].*witness).has_value();
      said[static_cast<Index>(i)] = (trusts[i].*witness).value_or(0);
    }
    if (heard) arrays.push_back({name, std::move(said)});
  }
}

}  // namespace

std::vector<NamedArray> answer_arrays(const Model& model, const std::string& projection, const Prediction& p,
                                      const std::vector<Trust>& trusts, const Output& output) {
  std::vector<NamedArray> arrays = {{"mean", p.mean}, {"std", standard_deviation(p)}};
  if (!p.samples.empty()) arrays.push_back({"samples", p.samples});
  add_band(model, projection, p, arrays, output);
  if (trusts.empty()) return arrays;
  Array<double> score({std::ssize(trusts)}), verdict(score.shape());
  for (std::size_t i = 0; i < trusts.size(); ++i) {
    score[i] = trusts[i].score;
    verdict[i] = static_cast<double>(trusts[i].verdict);
  }
  arrays.push_back({"trust_score", std::move(score)});
  arrays.push_back({"trust_verdict", std::move(verdict)});
  add_witnesses(trusts, arrays);
  return arrays;
}

void print_answer(const Prediction& p, const std::vector<Trust>& trusts, const Output& output) {
  const Index count = p.mean.extent(0), size = p.mean.size() / count;
  const Index shown = std::min<Index>(count, 20);
  for (Index s = 0; s < shown; ++s) {
    double largest = 0, spread = 0;
    bool finite = true;
    for (Index i = s * size; i < (s + 1) * size; ++i) {
      finite = finite && std::isfinite(p.mean[i]) && std::isfinite(p.variance[i]);
      largest = std::max(largest, std::abs(p.mean[i]));
      spread = std::max(spread, std::sqrt(p.variance[i]));
    }
    if (finite)
      output.print("sample {:<5} |mean| up to {:.4g}, std up to {:.2e}", s, largest, spread);
    else
      output.print("sample {:<5} not a finite number: the input is beyond what the network can take", s);
    if (!trusts.empty()) {
      const Trust& t = trusts[s];
      output.print(", trust score {:.2f}: {}", t.score, name(t.verdict));
    }
    output.print("\n");
    if (trusts.empty()) continue;
    for (const std::string& reason : trusts[s].reasons) output.print("{:13}{}\n", "", reason);
  }
  if (shown < count) output.print("... and {} more\n", count - shown);
  if (trusts.empty()) return;
  std::vector<std::string> heard;
  const Trust& first = trusts.front();
  for (const auto& [name, witness] : {std::pair{"spread", &first.spread}, std::pair{"law", &first.law},
                                      std::pair{"novelty", &first.novelty}})
    if (witness->has_value()) heard.emplace_back(name);
  output.print("trust heard  {}\n", fmt::format("{}", fmt::join(heard, ", ")));
}

}  // namespace nouq::cli
