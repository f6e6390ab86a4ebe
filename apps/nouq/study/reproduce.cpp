// nouq reproduce: the paper's experiments, as far as the store does not have them, and their table.
#include <exception>
#include <map>

#include <fmt/ranges.h>
#include <nouq/problem.h>
#include <nouq/train.h>

#include "commands.h"
#include "core/error.h"
#include "core/file.h"
#include "job.h"
#include "output.h"
#include "paper/run_study.h"
#include "paper/study_table.h"
#include "progress.h"
#include "study/presets.h"
#include "study/study_report.h"

namespace nouq::cli {
namespace {

struct ReproduceOptions {
  paper::StudyOptions study;
  std::vector<std::string> problems = {"heat", "pme", "stefan", "advection", "advection-ic", "darcy"};
  std::vector<std::string> methods = method_names();
  std::vector<std::uint64_t> seeds = {0};
  std::filesystem::path results = "results";
  std::filesystem::path models;
  std::filesystem::path paper;
  std::filesystem::path page;
  std::vector<std::string> tables = {"paper"};
  std::string format = "text";
  bool table_only = false;
  bool again = false;
  int threads = 0;
  bool any_processor = false;
  JobOptions job;
  GivenOptions given;
};

OptionTable reproduce_table(ReproduceOptions& o) {
  OptionTable table(
      "reproduce", "run the paper's experiments and show ours beside theirs",
      "Presets: smoke (seconds, for tests), quick (minutes), paper (the default: hours), paper-grid (with "
      "the paper's whole selection, for a cluster), ablation (fewer epochs, to vary one setting), recipe "
      "(what 'nouq train' recommends: a third of the epochs, to be read with sigma sized). A run "
      "whose result is in the store is not repeated; an interrupted one goes on when the same command is "
      "given again. Several processes may share a store. 'nouq report RESULTS' makes a page of it.");
  table.group("What");
  table.add("problems", o.problems, "which problems").one_of(problem_names());
  table.add("methods", o.methods, "which methods to run; tables show all that the store has")
      .one_of(method_names());
  table.add("seeds", o.seeds, "which seeds, as in 0,1 or 0..4").shown_as("N");
  table.group("Setting (a preset gives these)");
  add_study_settings(table, o.study);
  table.group("Where");
  table.add("results", o.results, "the store of results").shown_as("FOLDER");
  table.add("models", o.models, "trained networks (RESULTS/models)").shown_as("FOLDER");
  table.add("paper", o.paper, "figures to show beside ours instead of the paper's own").shown_as("FILE");
  table
      .add(
          "tables", o.tables,
          "of each problem: the paper's metrics, our own, with sigma sized, that beside nulls and after "
          "projections, before and after projections; of all together: what the paper claims, whether a shift "
          "is noticed, and by which witness, which strengths were chosen")
      .one_of({"paper", "own", "sized", "nulls", "after", "projection", "claims", "trust", "verdict",
               "strengths"});
  table.add("format", o.format, "of the tables").one_of({"text", "markdown", "json"});
  table.add("page", o.page, "write the study's page as well, as 'nouq report RESULTS' does").shown_as("FILE");
  table.add("table-only", o.table_only, "run nothing, show what the store has");
  table.add(
      "again", o.again,
      "evaluate anew all that the store has of these problems and methods, whatever its seeds and settings; "
      "trains nothing, needs the trained networks");
  table.add("threads", o.threads, "0 for all cores").at_least(0);
  table.add(
      "any-processor", o.any_processor,
      "go on with unfinished networks that were begun with other vector instructions, to other last digits");
  add_job_options(table, o.job);
  table.collect_given(o.given);
  table.example("nouq reproduce --preset quick --problems pme", "A first look, in minutes");
  table.example("nouq reproduce --problems heat,pme --seeds 0..4", "Five seeds of two problems: many hours");
  table.example("nouq reproduce --preset recipe --seeds 0,1,2 --tables paper,sized",
                "The recommended settings beside the paper's numbers: a night");
  table.example("nouq reproduce --preset ablation --problems heat --methods diverse --diversity gradients",
                "Another way to keep heads apart, for a figure of the page");
  table.example("nouq reproduce --problems heat --again",
                "After a metric or a projection has changed: seconds");
  return table;
}

paper::StudyPlaces places_of(const ReproduceOptions& o) {
  return {o.results, o.models.empty() ? o.results / "models" : o.models, o.threads, o.any_processor};
}

void run_again(const ReproduceOptions& o) {
  const auto reasons = paper::evaluate_store_again(o.problems, o.methods, places_of(o));
  if (!reasons.empty()) throw_failure("some results stay as they were; {}", fmt::join(reasons, "; "));
}

void run_cases(const ReproduceOptions& o, const Output& output) {
  if (o.again) return run_again(o);
  std::vector<paper::StudyCase> cases;
  for (const std::string& problem : o.problems) {
    for (const std::uint64_t seed : o.seeds) cases.push_back({problem, seed, o.methods});
  }
  const auto counted = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  output.say("{}, {}, {}", counted(o.problems.size(), "problem"), counted(o.seeds.size(), "seed"),
             counted(o.methods.size(), "method"));
  TrainingDisplay display(output.quiet());
  if (!paper::run_study(o.study, cases, places_of(o), display.progress()))
    throw Interrupted("stopped; the same command goes on from here");
}

// One result that cannot be had does not cost the others their table: the reason comes back, for later.
std::exception_ptr run_what_can_be(const ReproduceOptions& o, const Output& output) {
  try {
    run_cases(o, output);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::failure) throw;
    return std::current_exception();
  }
  return nullptr;
}

// Those of all problems together, then those of each.
std::vector<plot::Table> tables_of(const ReproduceOptions& o, const paper::StudyResults& results) {
  const std::map<std::string, plot::Table (*)(const paper::StudyResults&)> of_all = {
      {"trust", paper::trust_table}, {"verdict", paper::verdict_table}, {"strengths", paper::strength_table}};
  const std::map<std::string, plot::Table (*)(const paper::StudyResults&, const std::string&)> of_each = {
      {"paper", paper::study_table}, {"own", paper::own_table},     {"sized", paper::sized_table},
      {"nulls", paper::nulls_table}, {"after", paper::after_table}, {"projection", paper::projection_table}};
  std::vector<plot::Table> tables;
  for (const std::string& kind : o.tables) {
    if (of_all.contains(kind)) tables.push_back(of_all.at(kind)(results));
    if (kind != "claims") continue;
    for (plot::Table& table : paper::claims_tables(results)) tables.push_back(std::move(table));
  }
  for (const std::string& problem : o.problems) {
    if (results.methods(problem).empty()) continue;
    for (const std::string& kind : o.tables) {
      if (of_each.contains(kind)) tables.push_back(of_each.at(kind)(results, problem));
    }
  }
  // Not every problem has a law, nor every preset strengths to choose from.
  std::erase_if(tables, [](const plot::Table& table) { return !plot::has_rows(table); });
  return tables;
}

// Says what is not there yet. When that is everything it is an error, and the reason is the failure if there
// was one; but what was evaluated again may have other settings.
void check_problems(const ReproduceOptions& o, const paper::StudyResults& results,
                    const std::exception_ptr& failure, const Output& output) {
  std::vector<std::string> empty;
  for (const std::string& problem : o.problems) {
    if (results.methods(problem).empty()) empty.push_back(problem);
  }
  const std::string names = fmt::format("{}", fmt::join(empty, ", "));
  if (empty.size() == o.problems.size()) {
    if (failure) std::rethrow_exception(failure);
    require(o.again, "{} has no result of {} with these settings", o.results.string(), names);
  }
  if (!empty.empty()) output.say("no results with these settings: {}", names);
}

// What would fail after hours of training is found out here.
void check_before(const ReproduceOptions& o) {
  for (const char* name : {"models", "threads", "again", "part"})
    require(!o.table_only || !o.given.changed.contains(name), "--{} has nothing to do with --table-only",
            name);
  require(!(o.table_only || o.again) || file_exists(o.results), "--results = '{}': there is no such folder",
          o.results.string());
  require_free_output("--page", o.page, {o.paper});
  require_folder("--page", o.page);
  (void)paper_figures(o.paper);
  (void)paper::ResultStore(o.results).all();
}

void run_reproduce(const ReproduceOptions& o, Output& output) {
  if (o.table_only || o.again) start_alone();
  check_before(o);
  start_together(o.job, output);
  const std::exception_ptr failure = o.table_only ? nullptr : run_what_can_be(o, output);
  const paper::StudyResults results(paper::ResultStore(o.results).all(), o.study, paper_figures(o.paper));
  note_outdated(results, output);
  check_problems(o, results, failure, output);
  const std::vector<plot::Table> tables = tables_of(o, results);
  if (tables.empty())
    output.say("the results with these settings say nothing about: {}", fmt::join(o.tables, ", "));
  Json json = Json::array();
  for (const plot::Table& table : tables) {
    json.push_back(plot::table_json(table));
    if (o.format == "json") continue;
    output.print("{}\n", o.format == "markdown" ? plot::table_markdown(table) : plot::table_text(table));
  }
  if (o.format == "json") output.print("{}\n", json.dump(1));
  if (!o.page.empty())
    write_study_report({.study = o.study,
                        .results = o.results,
                        .paper = o.paper,
                        .page = o.page,
                        .markdown = {},
                        .figures = {},
                        .command = {},
                        .tables_on_output = true},
                       output);
  output.result(json);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

Command reproduce_command() {
  Command command = make_command(reproduce_table, run_reproduce);
  presets::offer(command);
  return command;
}

}  // namespace nouq::cli
