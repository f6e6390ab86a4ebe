// nouq improve: the loop with the solver.
#include <nouq/files.h>
#include <nouq/improve.h>
#include <nouq/train.h>

#include "asked_ranges.h"
#include "commands.h"
#include "core/error.h"
#include "core/file.h"
#include "improve_report.h"
#include "interrupt.h"
#include "model_info.h"
#include "plot/picture.h"
#include "training.h"

namespace nouq::cli {
namespace {

struct ImproveCommand {
  std::filesystem::path start, data, validation, candidates;
  ProgramSolver solver;
  std::vector<std::string> ranges;
  ImproveSettings loop;
  GivenOptions given;
  bool fresh = false;
  std::filesystem::path output, all_runs, figure;
};

void add_solver_options(OptionTable& table, ImproveCommand& o) {
  table.group("The solver");
  table
      .add(
          "solver", o.solver.command,
          "the program and its words; {input}, {output} and {folder} are paths, {run} a number, {NAME} the value of "
          "a parameter")
      .shown_as("COMMAND")
      .as_required()
      .about(
          "Words stand between blanks; quotes keep blanks together. No shell reads them. The paths are in the "
          "environment as well, as NOUQ_INPUT, NOUQ_OUTPUT, NOUQ_FOLDER and NOUQ_RUN, for scripts and sh -c. A run is "
          "done when the program ends with exit code 0 and has written its output.");
  table
      .add(
          "input", o.solver.input_format,
          "what {input} is: csv, a table with one row of parameters; json, an object of them; npz, parameters, "
          "coordinates and input fields as arrays; csv by default, npz where inputs are fields")
      .shown_as("FORMAT");
  table.add(
      "ending", o.solver.output_ending,
      "of the name {output}; .csv for a table, else what is in the file counts: NPZ, NPY or HDF5, as for 'import'");
  table
      .add(
          "outputs", o.solver.outputs,
          "arrays of the answer that are output fields; by default those with the names of the outputs, or the only "
          "array")
      .shown_as("ARRAY");
  table.add("axes", o.solver.axes, "order of the axes of these arrays, if it is not that of the data")
      .shown_as("NAME");
  table.add("jobs", o.loop.jobs, "runs at a time").between(1, 1024);
  table
      .add("timeout", o.solver.timeout,
           "seconds after which a run, with all it has started, is ended; 0: none")
      .at_least(0);
  table.add("retries", o.loop.retries, "how often a run that failed is tried again before it is set aside")
      .between(0, 100);
}

void add_loop_options(OptionTable& table, ImproveCommand& o) {
  table.group("Which runs");
  table.add("ranges", o.ranges, "where the model is to be good, e.g. m=1:6; of each parameter one")
      .shown_as("NAME=A:B");
  table.add("candidates", o.candidates, "file with the inputs that could be run instead: NPZ or HDF5")
      .shown_as("FILE");
  table.add("budget", o.loop.budget, "runs of the solver at most, retries not counted").between(1, 100000);
  table
      .add("target", o.loop.target,
           "stop when the relative error of the check runs is at most this; 0: never")
      .at_least(0);
  table.add("trusted", o.loop.trusted, "... and this share of what is asked is called in-domain")
      .between(0, 1);
  table.add("per-round", o.loop.batch, "runs between two trainings").between(1, 4096);
  table.add("among", o.loop.among, "how many points of the ranges are looked at").between(1, 3840);
  table
      .add("design", o.loop.design,
           "where runs are done; sobol and random do not look at the model, for comparison")
      .one_of({"suggest", "sobol", "random"});
  table.add("retrain", o.loop.retrain, "after each round anew, or on from the last model")
      .one_of({"anew", "last"});
}

OptionTable improve_table(ImproveCommand& o) {
  OptionTable table(
      "improve", "run your solver where it helps most, and train again, until the surrogate is good enough",
      "Suggests runs, does them with your program, several at a time, adds them to the data, trains again, and so on "
      "until the target is met or the budget used. Every fifth run is a check run: evenly drawn over what is asked, and "
      "held out of training. Of each run, a journal and the result are kept in MODEL.improve: the same command goes on "
      "from there however it ended, and ends with the same runs and the same model. With a larger budget it goes on, "
      "too.");
  table.group("Data");
  table.add("start", o.start, "runs to begin with: a data set; or a model, with --data")
      .as_positional()
      .as_required();
  table.add("data", o.data, "the data set that the model was trained on").shown_as("FILE");
  table.add("validation", o.validation, "data file to measure the error on, instead of check runs")
      .shown_as("FILE");
  add_solver_options(table, o);
  add_loop_options(table, o);
  describe(table, o.loop.train);
  table.remove("folder");
  table.remove("from");
  table.group("Files");
  table.add("output", o.output, "the model file to write").with_letter('o').shown_as("MODEL").as_required();
  table.add("all-runs", o.all_runs, "the data set with all runs: NAME.npz or NAME.h5").shown_as("FILE");
  table.add("figure", o.figure, "error against runs: NAME.svg or NAME.png").shown_as("FILE");
  table.add("fresh", o.fresh, "forget what is in MODEL.improve and start anew");
  table.collect_given(o.given);
  table.example(
      "nouq improve mine.npz --solver 'python3 solver.py {input} {output}' --ranges k=1:6,q=0:2 --budget 40 "
      "--target 0.01 -o mine.nouq",
      "At most forty runs, until the error is one per cent");
  table.example(
      "nouq improve mine.npz --solver 'srun -n 16 --exclusive ./solve -k {k} -q {q} -o {output}' --jobs 4 --timeout "
      "3600 --ranges k=1:6,q=0:2 -o mine.nouq",
      "Four runs at a time through a launcher, each an hour at most");
  return table;
}

std::filesystem::path folder_of_loop(const ImproveCommand& o) {
  return std::filesystem::path(o.output).concat(".improve");
}

// Only a folder of this command's own is removed, and only if nobody is at it.
void forget(const std::filesystem::path& folder) {
  if (!file_exists(folder)) return;
  const auto lock = LockFile::try_lock(folder / "improve.lock");
  require(lock.has_value(), "--fresh: {} is in use by another process", folder.string());
  require(file_exists(folder / "journal") || list_files(folder).size() == 1,
          "--fresh: {} holds no journal of this command; remove it by hand", folder.string());
  std::error_code error;
  std::filesystem::remove(folder / "journal", error);
  std::filesystem::remove_all(folder, error);
  require(!error, "--fresh: cannot remove {}: {}", folder.string(), error.message());
}

void check(const ImproveCommand& o) {
  for (const auto& [name, path] : {std::pair{"--output", o.output}, std::pair{"--all-runs", o.all_runs},
                                   std::pair{"--figure", o.figure}}) {
    require_free_output(name, path, {o.start, o.data, o.validation, o.candidates});
    require_folder(name, path);
  }
  require_two_files("--output", o.output, "--all-runs", o.all_runs);
  require_two_files("--output", o.output, "--figure", o.figure);
  if (!o.all_runs.empty()) require_writable(o.all_runs.string());
  if (!o.figure.empty()) plot::require_drawable(o.figure);
  require(o.candidates.empty() != o.ranges.empty(), "give either --ranges NAME=A:B or --candidates FILE");
}

// The settings of a model's training, where the loop begins with one.
TrainSettings settings_of(const ImproveCommand& o, const Model& model) {
  require(
      to_json(o.loop.train) == to_json(TrainSettings{}),
      "{} is a model, whose own settings all trainings have: leave the options of the training out, or begin "
      "with the data",
      o.start.string());
  const auto& facts = model.facts();
  require(facts.contains("settings"), "{} does not say how it was trained: begin with its data instead",
          o.start.string());
  TrainSettings settings = settings_from_json(facts.at("settings"));
  settings.threads = o.loop.train.threads;
  return settings;
}

DataSet candidates_of(const std::filesystem::path& path, const DataSet& like) {
  InputFile file = read_inputs(path.string());
  if (file.data) return std::move(*file.data);
  require(like.parameters.empty(),
          "--candidates {}: has no values of the parameters, which the data have: expected a data set",
          path.string());
  DataSet data;
  data.inputs = std::move(file.inputs);
  data.grid = like.grid;
  data.input_channels = like.input_channels;
  return data;
}

ImproveProgress progress_of(TrainingDisplay& display, const Output& output) {
  ImproveProgress progress;
  progress.training = display.progress();
  progress.training.on_note = [&output](const SettingsNote& note) { tell(note, output); };
  progress.on_round = [&output](const ImproveRound& r) {
    output.say("{} runs, {} samples: error {:.3g} of {} held-out runs, {:.0f} % of what is asked in domain",
               r.runs, r.samples, r.error, r.checks, 100 * r.in_domain);
  };
  progress.on_run = [&output](Index run, Index attempt, const std::string& failure) {
    if (!failure.empty()) output.say("run {}, attempt {}: {}", run, attempt + 1, failure);
  };
  progress.should_stop = [] { return interrupted(); };
  return progress;
}

void run_improve(const ImproveCommand& o, Output& output) {
  check(o);
  if (o.fresh) forget(folder_of_loop(o));
  ImproveSettings settings = o.loop;
  ProgramSolver program = o.solver;
  std::optional<Model> model;
  const bool from_model = is_model_file(o.start);
  require(from_model == !o.data.empty(), "{}: {}", o.start.string(),
          from_model ? "is a model: give the data it was trained on with --data"
                     : "is a data set: leave --data out, which goes with a model");
  if (from_model) {
    model = Model::load(o.start.string());
    settings.train = settings_of(o, *model);
  }
  const DataSet data = read((from_model ? o.data : o.start).string());
  if (!o.validation.empty()) settings.validation = read(o.validation.string());
  if (!o.candidates.empty()) settings.candidates = candidates_of(o.candidates, data);
  settings.ranges = asked_ranges(o.ranges);
  settings.seed = settings.train.seed;
  settings.folder = folder_of_loop(o).string();
  program.folder = (folder_of_loop(o) / "work").string();
  const RunSolver solver = program_solver(program, data);
  const InterruptGuard guard;
  TrainingDisplay display(true);
  try {
    const Improved done = improve(data, settings, solver, progress_of(display, output), model);
    done.model.save(o.output.string());
    if (!o.all_runs.empty()) write(o.all_runs.string(), done.data);
    if (!o.figure.empty()) plot::write_figure(o.figure, improvement_figure(done.rounds, settings.target));
    const ImprovePaths paths{o.output, o.all_runs};
    say_end(done, paths, settings.target, output);
    output.result(json_of(done, paths));
  } catch (const Cancelled&) {
    throw Interrupted(
        fmt::format("stopped; what is done is in {}. The same command goes on from there", settings.folder));
  }
}

}  // namespace

Command improve_command() { return make_command(improve_table, run_improve); }

}  // namespace nouq::cli
