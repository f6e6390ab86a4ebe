// nouq demo: the whole path in two minutes: data, training, shifts, projection, report.
#include <chrono>

#include "commands.h"
#include "core/file.h"
#include "data/generate.h"
#include "data/load.h"
#include "data/split.h"
#include "fit_progress.h"
#include "model_page.h"
#include "physics/physics.h"
#include "train_summary.h"

namespace nouq::cli {
namespace {

struct DemoOptions {
  std::string problem = "pme";
  Index samples = 400;
  Index epochs = 120;
  std::uint64_t seed = 0;
  int threads = 0;
  std::filesystem::path folder = "demo";
};

OptionTable demo_table(DemoOptions& o) {
  OptionTable table(
      "demo", "the whole path in two minutes: data, training, shifts, projection, report",
      "Trains a DiverseNO on a built-in problem, evaluates it inside and outside its training range, "
      "with and without projection onto the conservation law, and writes a page with pictures.");
  table.add("problem", o.problem, "which one; 'nouq problems' lists them").one_of(problem_names());
  table.add("samples", o.samples, "fields to train and validate on").with_letter('n').between(10, 1e6);
  table.add("epochs", o.epochs, "passes over the data").between(1, 1e6);
  table.add("seed", o.seed, "of data and training");
  table.add("threads", o.threads, "0 for all cores").at_least(0);
  table.add("folder", o.folder, "where to write model and report").shown_as("FOLDER");
  return table;
}

TrainingData draw_data(const DemoOptions& o, const Problem& problem) {
  DataSet data =
      generate_data_set(problem, {o.samples, o.seed, problem.range(Shift::in_domain), {}, o.threads});
  const Index held_out = o.samples / 5;
  const Split parts = split(o.samples, {o.samples - held_out, held_out, 0}, o.seed);
  DataSet validation = take_out(data, parts.validation);
  return {std::move(data), std::move(validation), {}};
}

// Where the reader should look first, in the reader's own numbers.
void print_conclusion(const DemoOptions& o, bool has_law, const plot::Table& table, const Output& output) {
  output.print("\n{}\n", plot::table_text(table));
  const std::string page = (o.folder / "report.html").string();
  if (has_law)
    output.print(
        "Outside its training range the surrogate is wrong; what counts is that it says so ('flagged'), and\n"
        "that the projection onto the conservation law brings it back towards physics ('bounded').\n\n"
        "open {}: solutions with bands before and after projection at every shift, maps of error\n"
        "and uncertainty, mass over time, trust scores, the training curve\n",
        page);
  else
    output.print(
        "Outside its training range the surrogate is wrong; what counts is that it says so ('flagged').\n\n"
        "open {}: solutions, maps of error and uncertainty at every shift, trust scores, the training "
        "curve\n",
        page);
}

void run_demo(const DemoOptions& o, Output& output) {
  const auto problem = make_problem(o.problem);
  const auto& about = problem->description();
  make_folder(o.folder, "model and report");
  output.say("{}: {}", about.name, about.equation);
  const TrainingData data = draw_data(o, *problem);
  save_data_set(o.folder / "data.npz", data.train);
  TrainingOptions training;
  training.settings.epochs = o.epochs;
  training.settings.seed = o.seed;
  training.settings.threads = o.threads;
  const FitOptions settings = fit_options(training, data);
  output.say("training a DiverseNO with {} heads on {} fields of {} points, {} epochs", settings.method.count,
             data.train.size(), to_string(shape_of(data.train.grid)), o.epochs);
  const CalibrationOptions calibration = calibration_of(training.settings, data.validation.size());
  tell_notes(training, settings, calibration, data.validation.size(), output);
  std::optional<Surrogate> surrogate;
  {
    FitProgress progress(output.quiet());
    surrogate = fit(settings, data.train, data.validation, &progress);
  }
  if (!surrogate) throw Interrupted("stopped; nothing is kept of a demo");
  (void)finish_model(training.settings, calibration, law_slack(data.train), data.validation,
                     o.folder / "model.nouq", *surrogate);
  const auto sets = shifted_sets(*surrogate, *problem, 100, o.seed + 1000, o.threads);
  plot::Page page = model_page(*surrogate, sets, {"nouq demo: " + about.words, "bounded", o.threads});
  page.footer = "Written by nouq " NOUQ_VERSION;
  plot::write_page(o.folder / "report.html", page);
  const plot::Table table = std::get<plot::Table>(page.sections.front().blocks.front());
  print_conclusion(o, physics_of(data.train).has_law(), table, output);
  output.result({{"report", (o.folder / "report.html").string()},
                 {"model", (o.folder / "model.nouq").string()},
                 {"table", plot::table_json(table)}});
}

}  // namespace

Command demo_command() { return make_command(demo_table, run_demo); }

}  // namespace nouq::cli
