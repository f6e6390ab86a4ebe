#include "paper/sized_evaluation.h"

#include <optional>
#include <utility>

#include "paper/sample_records.h"

namespace nouq::paper {
namespace {

using Witness = std::optional<double> Trust::*;
const std::vector<std::pair<const char*, Witness>> witnesses = {
    {"spread", &Trust::spread}, {"law", &Trust::law}, {"novelty", &Trust::novelty}};

std::vector<double> scores_of(const std::vector<Trust>& judged) {
  std::vector<double> scores;
  for (const Trust& t : judged) scores.push_back(t.score);
  return scores;
}

// Empty where the witness is silent.
std::vector<double> heard_of(const std::vector<Trust>& judged, Witness witness) {
  std::vector<double> heard;
  for (const Trust& t : judged) {
    if (t.*witness) heard.push_back(*(t.*witness));
  }
  return heard.size() == judged.size() ? heard : std::vector<double>{};
}

ResultJson verdict_json(const Evaluation& e, const std::vector<Trust>& in_domain) {
  ResultJson json;
  json["flagged"] = e.flagged;
  json["auroc"] = auroc(scores_of(in_domain), e.trust_scores);
  for (const auto& [name, witness] : witnesses) {
    const std::vector<double> usual = heard_of(in_domain, witness), here = heard_of(e.trust, witness);
    if (!usual.empty() && !here.empty()) json[std::string("auroc_") + name] = auroc(usual, here);
  }
  return json;
}

ResultJson witness_json(const std::vector<Trust>& judged) {
  ResultJson json = ResultJson::object();
  for (const auto& [name, witness] : witnesses) {
    if (const std::vector<double> heard = heard_of(judged, witness); !heard.empty())
      json[name] = rounded_list(heard);
  }
  return json;
}

bool has_parameters(const Surrogate& surrogate, const DataSet& data) {
  const Array<double>& range = surrogate.parameter_range;
  return range.size() > 0 && data.parameters.size() == range.extent(0) * data.size();
}

}  // namespace

ResultJson metrics_json(const Evaluation& evaluation) {
  ResultJson json;
  for (const auto& [name, value] : evaluation.metrics) json[name] = value;
  return json;
}

bool is_possible(ProjectionKind kind, bool law, const Prediction& p) {
  return kind == ProjectionKind::none || (law && (kind != ProjectionKind::low_rank || !p.samples.empty()));
}

void add_sized_evaluation(const Surrogate& sized, const DataSet& data, const Prediction& prediction,
                          int threads, std::vector<Trust>& in_domain, ResultJson& range) {
  const ProjectionChoice as_it_is{ProjectionKind::none, std::nullopt, threads};
  const Evaluation before = evaluate(sized, data, prediction, as_it_is);
  range["sized"] = metrics_json(before);
  if (before.band_coverage) range["sized_band_coverage"] = *before.band_coverage;
  if (in_domain.empty()) in_domain = before.trust;
  if (!before.trust.empty()) {
    range["verdict"] = verdict_json(before, in_domain);
    range["witnesses"] = witness_json(before.trust);
  }
  for (const auto& [name, kind] :
       {std::pair{"constant", SigmaKind::constant}, std::pair{"distance", SigmaKind::distance}}) {
    if (kind == SigmaKind::constant || has_parameters(sized, data))
      range["nulls"][name] = metrics_json(evaluate(sized, data, prediction, as_it_is, {}, kind));
  }
  const bool law = physics_of(data).has_law();
  for (const std::string& name : projection_names()) {
    const ProjectionKind kind = projection_from_name(name);
    if (kind == ProjectionKind::none || !is_possible(kind, law, prediction)) continue;
    const Evaluation after = evaluate(sized, data, prediction, {kind, std::nullopt, threads});
    range["sized_after"][name] = metrics_json(after);
    if (after.band_coverage) range["sized_after"][name]["band_coverage"] = *after.band_coverage;
  }
}

}  // namespace nouq::paper
