// How long the networks of each table took to train (study_table.h).
#include <cmath>
#include <set>

#include "paper/study_table.h"

namespace nouq::paper {
namespace {

// Networks of a problem: how many there are, and the seconds of those whose time is known.
struct Training {
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
void add_networks(const ResultJson& result, Training& training) {
  const ResultJson networks = result.value("networks", ResultJson::array());
  for (const ResultJson& network : networks) training.add(number_at(network, "/seconds"));
  for (const ResultJson& trial : result.value("trials", ResultJson::array())) {
    if (trial.value("chosen", false)) continue;
    const auto each = static_cast<double>(networks.size());
    for (std::size_t i = 0; i < networks.size(); ++i) training.add(number_at(trial, "/seconds") / each);
  }
}

// Bayesian takes the first network of an ensemble of the same seed: trained once, counted once.
Training training_of(const StudyResults& results, const std::string& problem) {
  std::set<std::uint64_t> ensembles;
  for (const ResultJson* run : results.runs(problem, "ensemble")) ensembles.insert(seed_of(*run));
  Training training;
  for (const std::string& method : results.methods(problem)) {
    for (const ResultJson* run : results.runs(problem, method)) {
      if (method != "bayesian" || !ensembles.contains(seed_of(*run))) add_networks(*run, training);
    }
  }
  return training;
}

double hours_on_two_cores(double seconds) { return seconds / 2 / 3600; }

Row row_of(const std::string& name, const Training& training) {
  if (training.timed == 0) return {name, training.networks, training.timed, {}, {}};
  return {name, training.networks, training.timed, training.seconds / training.timed / 60,
          hours_on_two_cores(training.estimated())};
}

// The rows added up: a network of unknown time counts as one of its own problem.
Row row_of_all(const std::vector<Training>& problems) {
  double networks = 0, timed = 0, seconds = 0;
  bool known = true;
  for (const Training& one : problems) {
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
  std::vector<Training> all;
  for (const std::string& problem : results.problems()) {
    all.push_back(training_of(results, problem));
    table.groups[0].rows.push_back(row_of(problem, all.back()));
  }
  if (all.size() > 1) table.groups[0].rows.push_back(row_of_all(all));
  return table;
}

}  // namespace nouq::paper
