// nouq demo: the whole path in two minutes: data, training, shifts, projection, report.
#include <nouq/problem_data.h>
#include <nouq/project.h>
#include <nouq/train.h>

#include "commands.h"
#include "core/file.h"
#include "model_page.h"
#include "training.h"

namespace nouq::cli {
namespace {

constexpr Index heads = 10;

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

DataSplit draw_data(const DemoOptions& o, const Problem& problem) {
  const DataSet data = draw(problem, {.samples = o.samples, .seed = o.seed, .threads = o.threads});
  return split(data, {0.8, 0.2, 0.0}, o.seed);
}

Model train_demo(const DemoOptions& o, DataSplit data, const Output& output) {
  TrainSettings settings;
  settings.epochs = o.epochs;
  settings.seed = o.seed;
  settings.threads = o.threads;
  settings.options["count"] = heads;
  TrainingDisplay display(output.quiet());
  display.close_when_trained();
  Progress progress = display.progress();
  progress.on_note = [&](const SettingsNote& note) { tell(note, output); };
  try {
    return train(std::move(data.train), data.validation, settings, progress);
  } catch (const Cancelled&) {
    throw Interrupted("stopped; nothing is kept of a demo");
  }
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
  DataSplit data = draw_data(o, *problem);
  const bool has_law = Constraints::of(data.train).rows() > 0;
  write((o.folder / "data.npz").string(), data.train);
  output.say("training a DiverseNO with {} heads on {} fields of {} points, {} epochs", heads,
             data.train.size(), to_string(shape_of(data.train.grid)), o.epochs);
  const Model model = train_demo(o, std::move(data), output);
  model.save((o.folder / "model.nouq").string());
  const auto sets = shifted_sets(model, *problem, 100, o.seed + 1000, o.threads);
  plot::Page page = model_page(model, sets, {"nouq demo: " + about.words, "bounded", o.threads});
  page.footer = "Written by nouq " NOUQ_VERSION;
  plot::write_page(o.folder / "report.html", page);
  const plot::Table table = std::get<plot::Table>(page.sections.front().blocks.front());
  print_conclusion(o, has_law, table, output);
  output.result({{"report", (o.folder / "report.html").string()},
                 {"model", (o.folder / "model.nouq").string()},
                 {"table", plot::table_json(table)}});
}

}  // namespace

Command demo_command() { return make_command(demo_table, run_demo); }

}  // namespace nouq::cli
