// Tables over all problems (study_table.h): whether a method notices a shift, and how long training took.
#include <cmath>
#include <set>

#include <fmt/ranges.h>

#include "paper/claims.h"
#include "paper/study_table.h"

namespace nouq::paper {
namespace {

struct Share {
  const char* group;  // of columns
  const char* entry;  // of a result's range
  std::vector<Shift> ranges;
};
// In domain AUROC is 0.5 by definition, and what is flagged there are false alarms.
const std::vector<Share> shares = {{"trust AUROC", "trust_auroc", shifted},
                                   {"flagged", "flagged", {Shift::in_domain}},
                                   {"in its band", "band_coverage", {all_shifts.begin(), all_shifts.end()}}};

// Means over different seeds stand side by side.
std::string words_of_seeds(const StudyResults& results) {
  std::vector<std::string> problems = results.problems();
  std::erase_if(problems, [&](const std::string& problem) { return results.same_seeds(problem); });
  return problems.empty() ? ""
                          : fmt::format(" Methods have different seeds on {}.", fmt::join(problems, ", "));
}

}  // namespace

Table trust_table(const StudyResults& results) {
  Table table{.title = "Does the trust score notice a shift, and do bands hold?",
              .columns = {{.header = "problem"}, {.header = "method"}},
              .groups = {{}}};
  for (const Share& share : shares) {
    for (const Shift shift : share.ranges)
      table.columns.push_back(
          {.header = to_string(shift), .group = share.group, .notation = Notation::fixed, .digits = 3});
  }
  for (const std::string& problem : results.problems()) {
    for (const std::string& method : results.contenders(problem)) {
      const Runs runs = results.runs(problem, method);
      Row row = {problem, method};
      for (const Share& share : shares) {
        for (const Shift shift : share.ranges)
          row.push_back(over_seeds(runs, range_place(shift, share.entry)));
      }
      add_if_numeric(std::move(row), table);
    }
  }
  table.caption =
      "AUROC of the trust score: how well it tells samples of a range from in-domain ones; 1 is perfect, 0.5 "
      "chance, and below that a method is surer outside its domain than inside. 'flagged' is the share of "
      "in-domain samples that are called something else: false alarms, nominally 0.05. 'in its band': the "
      "share of fields that lie in their conformal band as a whole, nominally 0.9 in domain." +
      words_of_diverse(table) + words_of_seeds(results);
  return table;
}

// ---- How long the networks of each table took to train ----

namespace {

// Networks of a problem: how many there are, and the seconds of those whose time is known.
struct TrainingTime {
  double networks = 0, timed = 0, seconds = 0;

  void add(double time) {
    ++networks;
    if (!std::isfinite(time)) return;
    ++timed;
    seconds += time;
  }
  // With those of unknown time; nothing where none is known.
  [[nodiscard]] double estimated() const { return timed > 0 ? seconds / timed * networks : 0; }
};

// The chosen networks one by one, and the rivals of the selection: as many each.
void add_networks(const ResultJson& result, TrainingTime& training) {
  const ResultJson networks = result.value("networks", ResultJson::array());
  for (const ResultJson& network : networks) training.add(number_at(network, "/seconds"));
  for (const ResultJson& trial : result.value("trials", ResultJson::array())) {
    if (trial.value("chosen", false)) continue;
    const auto each = static_cast<double>(networks.size());
    for (std::size_t i = 0; i < networks.size(); ++i) training.add(number_at(trial, "/seconds") / each);
  }
}

// Bayesian takes the first network of an ensemble of the same seed: trained once, counted once.
TrainingTime training_of(const StudyResults& results, const std::string& problem) {
  std::set<std::uint64_t> ensembles;
  for (const ResultJson* run : results.runs(problem, "ensemble")) ensembles.insert(seed_of(*run));
  TrainingTime training;
  for (const std::string& method : results.methods(problem)) {
    for (const ResultJson* run : results.runs(problem, method)) {
      if (method != "bayesian" || !ensembles.contains(seed_of(*run))) add_networks(*run, training);
    }
  }
  return training;
}

double hours_on_two_cores(double seconds) { return seconds / 2 / 3600; }

Row row_of(const std::string& name, const TrainingTime& training) {
  if (training.timed == 0) return {name, training.networks, training.timed, {}, {}};
  return {name, training.networks, training.timed, training.seconds / training.timed / 60,
          hours_on_two_cores(training.estimated())};
}

// The rows added up: a network of unknown time counts as one of its own problem.
Row row_of_all(const std::vector<TrainingTime>& problems) {
  double networks = 0, timed = 0, seconds = 0;
  bool known = true;
  for (const TrainingTime& one : problems) {
    networks += one.networks;
    timed += one.timed;
    seconds += one.estimated();
    known = known && one.timed > 0;
  }
  if (!known) return {"all", networks, timed, {}, {}};
  return {"all", networks, timed, seconds / networks / 60, hours_on_two_cores(seconds)};
}

}  // namespace

Table time_table(const StudyResults& results) {
  const auto whole = [](std::string header) {
    return Column{.header = std::move(header), .notation = Notation::fixed, .digits = 0};
  };
  Table table{
      .title = "Time of each table",
      .caption =
          "Wall time of training. A network trains on one core; hours are for two networks at a time. "
          "Networks whose checkpoints did not keep their time are taken to have the mean of their problem's "
          "others. What else the machine did is in these times.",
      .columns = {{.header = "problem"},
                  whole("networks"),
                  whole("of known time"),
                  {.header = "minutes each"},
                  {.header = "hours on two cores"}},
      .groups = {{}}};
  std::vector<TrainingTime> all;
  for (const std::string& problem : results.problems()) {
    all.push_back(training_of(results, problem));
    table.groups[0].rows.push_back(row_of(problem, all.back()));
  }
  if (all.size() > 1) table.groups[0].rows.push_back(row_of_all(all));
  return table;
}

}  // namespace nouq::paper
