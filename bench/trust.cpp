// How well trust tells shifted inputs from those of training, witness by witness, beside its nulls:
//
//   nouq_bench_trust MODEL TRAINING_DATA IN_DOMAIN SHIFTED...
//
// The model is calibrated anew on what `nouq train` held out of its data (a fifth, chosen by seed 0); the
// other files are test sets with solutions. Per shifted set, AUROC against the first one by the verdict's
// score, by each witness alone, by spread and law without novelty, and by the verdict when sigma is the same
// for all (what is left without uncertainty); beside it |sigma| / |mu|, the score of before, and the same
// with a constant sigma, its null. Then AUROC for errors above the 95 % quantile of held-out ones over all
// sets.
#include <cmath>
#include <cstdio>
#include <functional>

#include <nouq/data.h>

#include "data/normalisation.h"
#include "data/split.h"
#include "model/model_file.h"
#include "physics/evaluation.h"
#include "physics/law_sizing.h"
#include "physics/trust_evidence.h"
#include "uq/quantile.h"

namespace nouq {
namespace {

struct Scores {
  std::vector<double> verdict, spread, law, novelty, spread_and_law, constant, before, null, error;
  double flagged = 0;
};

Prediction with_constant_sigma(Prediction p) {
  std::fill(p.variance.begin(), p.variance.end(), 1.0);
  return p;
}

std::vector<double> numbers(const std::vector<Trust>& judged, const std::function<double(const Trust&)>& of) {
  std::vector<double> list;
  for (const Trust& one : judged) list.push_back(of(one));
  return list;
}

Scores scores_of(const Surrogate& sized, const Surrogate& constant, const DataSet& data) {
  const Prediction p = predict(sized, data.inputs.view(), {false, 1});
  const auto score = [](const Trust& t) { return t.score; };
  Scores s;
  const auto judged = trust(sized, data, p);
  for (const Trust& t : judged) s.flagged += t.verdict == Verdict::in_domain ? 0 : 1;
  s.flagged /= static_cast<double>(judged.size());
  s.verdict = numbers(judged, score);
  s.spread = numbers(judged, [](const Trust& t) { return t.spread.value_or(0); });
  s.law = numbers(judged, [](const Trust& t) { return t.law.value_or(0); });
  s.novelty = numbers(judged, [](const Trust& t) { return t.novelty.value_or(0); });
  DataSet fields_alone = data;
  fields_alone.inputs = {};
  fields_alone.parameters = {};
  Prediction unseen = p;
  unseen.pooled = {};
  s.spread_and_law = numbers(trust(sized, fields_alone, unseen), score);
  const Prediction same = with_constant_sigma(p);
  s.constant = numbers(trust(constant, data, same), score);
  const Index size = p.mean.size() / p.mean.extent(0);
  for (Index i = 0; i < p.mean.extent(0); ++i) {
    const auto part = [&](const Array<double>& a) { return a.span().subspan(i * size, size); };
    s.before.push_back(relative_spread(part(p.mean), part(p.variance)));
    s.null.push_back(relative_spread(part(p.mean), part(same.variance)));
    double squares = 0;
    for (Index k = i * size; k < (i + 1) * size; ++k)
      squares += std::pow(p.mean[k] - static_cast<double>(data.outputs[k]), 2);
    s.error.push_back(squares);
  }
  return s;
}

Surrogate calibrated(Surrogate s, const DataSet& training, const DataSet& held_out, bool constant) {
  keep_training_inputs(ScaledData(training, s.input_normalisation, s.output_normalisation), 1, s);
  Prediction p = predict(s, held_out.inputs.view(), {false, 1});
  if (constant) p = with_constant_sigma(p);
  calibrate_trust({}, held_out, p, s);
  return s;
}

int run(std::vector<std::string> files) {
  const Surrogate model = load_model(files[0]);
  const DataSet data = read(files[1]);
  const Split parts = split(data.size(), split_counts(data.size(), {0.8, 0.2, 0.0}), 0);
  const DataSet training = select(data, parts.train), held_out = select(data, parts.validation);
  const Surrogate sized = calibrated(model, training, held_out, false);
  const Surrogate constant = calibrated(model, training, held_out, true);
  const double usual = conformal_quantile(scores_of(sized, constant, held_out).error, 0.95, "errors");
  std::printf(
      "| data | flagged | verdict | spread | law | novelty | spread, law | constant sigma | before | null |\n");
  Scores near;
  std::vector<double> small, large;
  for (std::size_t f = 2; f < files.size(); ++f) {
    const Scores s = scores_of(sized, constant, read(files[f]));
    for (std::size_t i = 0; i < s.error.size(); ++i)
      (s.error[i] > usual ? large : small).push_back(s.verdict[i]);
    if (f == 2) near = s;
    std::printf("| %s | %.2f", files[f].c_str(), s.flagged);
    for (const auto member : {&Scores::verdict, &Scores::spread, &Scores::law, &Scores::novelty,
                              &Scores::spread_and_law, &Scores::constant, &Scores::before, &Scores::null})
      std::printf(" | %.3f", auroc(near.*member, s.*member));
    std::printf(" |\n");
  }
  if (!small.empty() && !large.empty())
    std::printf("errors above the held-out quantile, %zu of %zu: AUROC %.3f\n", large.size(),
                large.size() + small.size(), auroc(small, large));
  return 0;
}

}  // namespace
}  // namespace nouq

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: nouq_bench_trust MODEL TRAINING_DATA IN_DOMAIN SHIFTED...\n");
    return 2;
  }
  return nouq::run({argv + 1, argv + argc});
}
