#include "paper/study_page.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "paper/study_figures.h"
#include "paper/study_sections.h"
#include "paper/study_table.h"
#include "paper/sweep.h"

namespace nouq::paper {
namespace {

void add(Figure figure, Section& section) {
  if (!figure.panels.empty()) section.blocks.emplace_back(std::move(figure));
}

void add(Table table, Section& section) {
  if (has_rows(table)) section.blocks.emplace_back(std::move(table));
}

std::string problem_words(const std::string& name) {
  const auto problem = make_problem(name);
  const ProblemDescription& d = problem->description();
  std::vector<std::string> ranges;
  ranges.reserve(all_shifts.size());
  for (const Shift shift : all_shifts)
    ranges.push_back(fmt::format("{} [{:g}, {:g}]", to_string(shift), problem->range(shift).low,
                                 problem->range(shift).high));
  return fmt::format("{}: `{}`. Ranges of the {}: {}.", d.words, d.equation, d.parameter.name,
                     fmt::join(ranges, ", "));
}

// Of all that is shown.
std::set<std::uint64_t> seeds_of(const StudyResults& results) {
  std::set<std::uint64_t> seeds;
  for (const std::string& problem : results.problems()) {
    for (const std::string& method : results.methods(problem)) {
      for (const ResultJson* run : results.runs(problem, method)) seeds.insert(seed_of(*run));
    }
  }
  return seeds;
}

// What a reader has to know to read on.
Settings words() {
  return {
      .title = "What the words mean",
      .values = {
          {"bayesian", "a Laplace approximation of the last layer of one network"},
          {"variance", "one network that predicts mean and variance"},
          {"dropout", "one network, predicted with several random masks"},
          {"ensemble", "M networks, trained one by one"},
          {"diverse", "M heads on one network, pushed apart while it is trained"},
          {"MSE", "mean squared error of the mean"},
          {"n-MeRCI", "how far uncertainties are from being proportional to errors: 0 is perfect, 1 chance"},
          {"NLL", "negative log-likelihood of the truth, summed over a field; punishes overconfidence"},
          {"RMSCE", "how far the shares of points below predicted quantiles are from nominal"},
          {"CRPS", "distance of the predicted distribution from the truth, in the unit of the field"},
          {"conservation error", "by how much the mean violates the conservation law, summed over times"},
          {"diagonal", "the paper's projection onto the law, which knows variances alone"},
          {"low-rank", "the same with the covariance of the members"},
          {"bounded", "a projection onto the law that also keeps to physical bounds"},
          {"trust score",
           "the relative uncertainty of a field over what 95 % of validation fields stay below"}}};
}

Section overview(const StudyResults& results, const StudyPageOptions& options) {
  const StudyOptions& o = results.options();
  Section section{"At a glance", {}, "overview"};
  const std::set<std::uint64_t> seeds = seeds_of(results);
  section.blocks.emplace_back(Prose{fmt::format(
      "Five ways to give a Fourier neural operator an uncertainty, as in Mouli et al., Using Uncertainty "
      "Quantification to Characterize and Improve Out-of-Domain Learning for PDEs (ICML 2024), called the "
      "paper here; its numbers, with their deviation over five seeds, stand in brackets or are dashed. Every "
      "method is trained on the same {} samples for up to {} epochs, a fifth of the samples kept back for "
      "validation, and tested on {} samples of the range it was trained on and of three ranges outside it. "
      "{}",
      o.samples, o.epochs, o.test_samples,
      seeds.size() == 1
          ? fmt::format("All is of one seed, {}, which says nothing about the spread.", *seeds.begin())
          : "A cell or point is the mean over the seeds that the store has.")});
  section.blocks.emplace_back(words());
  if (!options.command.empty())
    section.blocks.emplace_back(Code{fmt::format("{} --problems {} --seeds {}\n", options.command,
                                                 fmt::join(results.problems(), ","), fmt::join(seeds, ","))});
  for (const ShownMetric& metric : shown_metrics) add(shift_figure(results, metric), section);
  add(trust_shift_figure(results), section);
  add(trust_table(results), section);
  return section;
}

Section claims_section(const StudyResults& results) {
  Section section{"Do the paper's claims hold?", {}, "claims"};
  for (Table& table : claims_tables(results)) section.blocks.emplace_back(std::move(table));
  return section;
}

Section problem_section(const StudyResults& results, const std::string& problem) {
  Section section{problem, {}, "problem-" + problem};
  section.blocks.emplace_back(Prose{problem_words(problem)});
  section.blocks.emplace_back(study_table(results, problem));
  section.blocks.emplace_back(own_table(results, problem));
  add(sized_table(results, problem), section);
  add(projection_table(results, problem), section);
  section.blocks.emplace_back(Prose{settings_links(results, problem)});
  return section;
}

Section projection_section(const StudyResults& results) {
  Section section{"Does the projection help?", {}, "projection"};
  for (const std::string projection : {"diagonal", "low-rank", "bounded"})
    add(ratio_figure(results, projection), section);
  return section;
}

Section cost_section(const StudyResults& results) {
  Section section{"What does it cost?", {}, "cost"};
  section.blocks.emplace_back(cost_table(results));
  section.blocks.emplace_back(time_table(results));
  for (Figure& figure : cost_figures(results.all(), results.options().grid.strength))
    section.blocks.emplace_back(std::move(figure));
  return section;
}

Section sweep_section(const StudyResults& results) {
  Section section{"Which settings matter?", {}, "sweeps"};
  add(trials_figure(results), section);
  add(strength_table(results), section);
  for (const Sweep& sweep : sweeps) {
    for (Figure& figure : sweep_figures(results.all(), sweep)) section.blocks.emplace_back(std::move(figure));
  }
  return section;
}

}  // namespace

Page study_page(const StudyResults& results, const StudyPageOptions& options) {
  const std::vector<std::string> problems = results.problems();
  require(!problems.empty(), "no result with these settings is in {}", options.folder);
  Page page{
      .title = "Neural operators under shift",
      .summary = fmt::format("Uncertainty methods on {}: in domain, under three shifts, and projected onto "
                             "conservation laws; the paper's numbers beside ours.",
                             fmt::join(problems, ", "))};
  page.sections.push_back(overview(results, options));
  if (Section claims = claims_section(results); !claims.blocks.empty())
    page.sections.push_back(std::move(claims));
  Section members{"What do members of an ensemble differ in?", {}, "members"};
  for (const std::string& problem : problems) {
    page.sections.push_back(problem_section(results, problem));
    Pictures pictures = pictures_of(results, problem);
    for (Block& block : pictures.solutions) page.sections.back().blocks.push_back(std::move(block));
    for (Block& block : pictures.members) members.blocks.push_back(std::move(block));
  }
  for (Section section : {projection_section(results), cost_section(results), sweep_section(results), members,
                          settings_section(results)}) {
    if (!section.blocks.empty()) page.sections.push_back(std::move(section));
  }
  return page;
}

}  // namespace nouq::paper
