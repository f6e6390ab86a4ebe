#include "answer.h"

#include <algorithm>
#include <cmath>

namespace nouq::cli {
namespace {

Array<double> standard_deviation(const Prediction& p) {
  Array<double> deviation = p.variance;
  for (double& v : deviation) v = std::sqrt(v);
  return deviation;
}

// The factor belongs to the variance as the networks give it.
void add_band(const Model& model, const std::string& projection, const Prediction& p,
              std::vector<NamedArray>& arrays, const Output& output) {
  if (!model.info().band) return;
  if (projection != "none")
    return output.say(
        "note: no 'band' is written: the model's bands are calibrated for predictions without projection");
  auto width = band(model, p);
  if (width) return arrays.push_back({"band", std::move(*width)});
  Shape expected = shape_of(model.grid());
  expected.push_back(std::ssize(model.outputs()));
  output.say(
      "note: no 'band' is written: the model's pointwise bands are for fields of shape {}, the prediction "
      "has shape {}",
      to_string(expected), to_string(p.variance.shape()));
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
  }
  if (shown < count) output.print("... and {} more\n", count - shown);
}

}  // namespace nouq::cli
