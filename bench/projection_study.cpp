// What each way to project does to the predictions of trained surrogates: the study behind the default.
//
// usage: nouq_bench_projection_study MODELS METHOD SEEDS FIGURE PROBLEM...
//
//   MODELS  folder of trained networks (results/models); what is missing there is trained, which takes long
//   METHOD  ensemble, or diverse:STRENGTH of the diversity, e.g. diverse:1
//   SEEDS   e.g. 0,1
//   FIGURE  NAME.svg or NAME.png, for the ratios of MSE
//
// Prints Markdown: for every problem, shift and projection the mean over seeds of MSE (as a ratio to the MSE
// before), n-MeRCI and CRPS, and the criteria by which the default is chosen.
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "conserve/bounded_projection.h"
#include "conserve/projection.h"
#include "core/parse.h"
#include "data/generate.h"
#include "metrics/metric.h"
#include "paper/study.h"
#include "physics/evaluation.h"
#include "physics/physics.h"
#include "physics/projection_calibration.h"
#include "plot/picture.h"

namespace nouq::bench {
namespace {

struct Variant {
  std::string name;
  ProjectionKind kind = ProjectionKind::none;
  VarianceUpdate update = VarianceUpdate::gaussian;
  double power = 2;
};

const std::vector<Variant> variants = {
    {"none"},
    {"diagonal", ProjectionKind::diagonal},
    {"low-rank", ProjectionKind::low_rank},
    {"bounded gaussian", ProjectionKind::bounded},
    {"bounded truncated", ProjectionKind::bounded, VarianceUpdate::truncated},
    {"bounded samples", ProjectionKind::bounded, VarianceUpdate::samples},
    {"bounded displaced", ProjectionKind::bounded, VarianceUpdate::displaced},
    {"bounded samples p=1.5", ProjectionKind::bounded, VarianceUpdate::samples, 1.5},
    {"bounded samples p=1", ProjectionKind::bounded, VarianceUpdate::samples, 1},
};

struct Scores {
  double mse = 0, nmerci = 0, crps = 0;
};
using Cell = std::map<std::string, std::vector<Scores>>;  // by variant, one per seed

Prediction bounded(const Variant& v, const Physics& physics, const Grid& grid,
                   const Array<double>& noise_variance, const Prediction& p) {
  LinearConstraints law = physics.constraints;
  law.noise_variance.assign(noise_variance.begin(), noise_variance.end());
  Prediction result{Array<double>(p.mean.shape()), Array<double>(p.mean.shape()), {}};
  BoundedOptions options;
  options.sigma_power = v.power;
  options.variance_update = v.update;
  BoundedProjector(law, physics.bounds, FieldLayout{grid, 1}, options)
      .project({p.mean.view(), p.variance.view(), p.samples.view()},
               {result.mean.view(), result.variance.view(), {}});
  return result;
}

Scores scores_of(const Prediction& p, const DataSet& data) {
  const Array<double> truth = truth_of(data);
  const MetricInput input{p.mean.view(), p.variance.view(), truth.view(), {}};
  const auto metric = [&](const char* name) { return find_metric(name).function(input).value; };
  return {metric("mse"), metric("nmerci"), metric("crps")};
}

Surrogate fitted(const paper::StudyOptions& o, const paper::StudyCase& c, const paper::StudyData& data,
                 const std::string& models) {
  const FitOptions fit = paper::study_fit(o, c, c.methods.front(), data);
  const auto wanted = selection_trainings(fit, o.grid, data.train);
  const auto networks =
      run_trainings(wanted, data.train, data.validation, {.folder = models, .tolerate_divergence = true});
  return finish_selection(SelectionPlan(fit, o.grid, data.train, data.validation), *networks).surrogate;
}

void study_case(const paper::StudyOptions& o, const paper::StudyCase& c, const std::string& models,
                std::map<Shift, Cell>& cells) {
  const paper::StudyData data = paper::study_data(o, c);
  const Surrogate surrogate = fitted(o, c, data, models);
  const LawUse use = chosen_law_use(law_noise(data.train), data.validation,
                                    predict(surrogate, data.validation.inputs.view()), 0);
  const auto problem = make_problem(c.problem);
  for (const Shift shift : all_shifts) {
    const DataSet test = generate_data_set(*problem, {o.test_samples, c.seed + paper::test_seed_offset,
                                                      problem->range(shift), data.train.grid, 0});
    const Prediction p = predict(surrogate, test.inputs.view(), {true, 0});
    const Physics physics = physics_of(test);
    for (const Variant& v : variants) {
      const Prediction projected = v.kind == ProjectionKind::bounded
                                       ? bounded(v, physics, test.grid, use.noise_variance, p)
                                       : project({v.kind, {}, 0}, physics, test.grid, use, p);
      cells[shift][v.name].push_back(scores_of(projected, test));
    }
  }
}

double mean_of(const std::vector<Scores>& scores, double Scores::*what) {
  double sum = 0;
  for (const Scores& s : scores) sum += s.*what;
  return sum / static_cast<double>(scores.size());
}

void print_cells(const std::string& problem, const std::map<Shift, Cell>& cells) {
  for (const auto& [title, what, relative] :
       {std::tuple{"MSE after / before", &Scores::mse, true}, std::tuple{"n-MeRCI", &Scores::nmerci, false},
        std::tuple{"CRPS", &Scores::crps, false}}) {
    std::printf("\n%s, %s\n\n| |", problem.c_str(), title);
    for (const auto& [shift, cell] : cells) std::printf(" %s |", std::string(to_string(shift)).c_str());
    std::printf("\n|---|---|---|---|---|\n");
    for (const Variant& v : variants) {
      std::printf("| %s |", v.name.c_str());
      for (const auto& [shift, cell] : cells) {
        const double before = relative && v.name != "none" ? mean_of(cell.at("none"), what) : 1;
        std::printf(" %.3g |", mean_of(cell.at(v.name), what) / before);
      }
      std::printf("\n");
    }
  }
}

// The criteria: worst ratio to the diagonal, worst harm in domain, gain where fronts are, ranking of the
// errors.
void print_summary(const std::map<std::string, std::map<Shift, Cell>>& all) {
  std::printf(
      "\n| | worst MSE / diagonal | worst MSE / before, in domain | geometric mean MSE / diagonal, shifted "
      "fronts | mean n-MeRCI | mean CRPS / before |\n|---|---|---|---|---|---|\n");
  for (const Variant& v : variants) {
    double worst = 0, harm = 0, logs = 0, nmerci = 0, crps = 0;
    int fronts = 0, count = 0;
    for (const auto& [problem, cells] : all) {
      for (const auto& [shift, cell] : cells) {
        const double mse = mean_of(cell.at(v.name), &Scores::mse);
        const double ratio = mse / mean_of(cell.at("diagonal"), &Scores::mse);
        worst = std::max(worst, ratio);
        if (shift == Shift::in_domain) harm = std::max(harm, mse / mean_of(cell.at("none"), &Scores::mse));
        if (shift != Shift::in_domain && problem != "heat") logs += std::log(ratio), ++fronts;
        nmerci += mean_of(cell.at(v.name), &Scores::nmerci);
        crps += mean_of(cell.at(v.name), &Scores::crps) / mean_of(cell.at("none"), &Scores::crps);
        ++count;
      }
    }
    std::printf("| %s | %.3f | %.3f | %.3f | %.3f | %.3f |\n", v.name.c_str(), worst, harm,
                std::exp(logs / std::max(1, fronts)), nmerci / count, crps / count);
  }
}

// MSE after over MSE before, one panel a problem.
plot::Figure ratio_figure(const std::map<std::string, std::map<Shift, Cell>>& all) {
  plot::Figure figure;
  figure.title = "MSE after projection over MSE before";
  figure.columns = 3;
  figure.share_y = true;
  for (const auto& [problem, cells] : all) {
    plot::Panel panel{problem, {}, {"ratio", plot::Scale::log}, {}, {{plot::Direction::horizontal, 1.0}}};
    for (const char* name : {"diagonal", "low-rank", "bounded samples"}) {
      plot::Bars bars{std::string(name) == "bounded samples" ? "bounded" : name};
      for (const auto& [shift, cell] : cells)
        bars.values.push_back(mean_of(cell.at(name), &Scores::mse) / mean_of(cell.at("none"), &Scores::mse));
      panel.series.emplace_back(std::move(bars));
    }
    for (const auto& [shift, cell] : cells) panel.x.categories.emplace_back(to_string(shift));
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

std::vector<std::uint64_t> seeds_of(const std::string& text) {
  std::vector<std::uint64_t> seeds;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    seeds.push_back(std::stoull(text.substr(at, comma - at)));
    at = comma + 1;
  }
  return seeds;
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 5) {
    std::fputs("usage: nouq_bench_projection_study MODELS METHOD SEEDS FIGURE PROBLEM...\n", stderr);
    return 2;
  }
  paper::StudyOptions options;
  const std::size_t colon = std::min(words[1].find(':'), words[1].size());
  const std::string method = words[1].substr(0, colon);
  if (colon < words[1].size()) options.grid.strength = {std::stod(words[1].substr(colon + 1))};
  std::map<std::string, std::map<Shift, Cell>> all;
  for (std::size_t i = 4; i < words.size(); ++i) {
    for (const std::uint64_t seed : seeds_of(words[2]))
      study_case(options, {words[i], seed, {method}}, words[0], all[words[i]]);
    print_cells(words[i], all[words[i]]);
    std::fflush(stdout);
  }
  print_summary(all);
  plot::write_figure(words[3], ratio_figure(all));
  return 0;
}

}  // namespace
}  // namespace nouq::bench

int main(int argc, char** argv) {
  try {
    return nouq::bench::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
