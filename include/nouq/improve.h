// The loop with the solver: suggest runs, do them, add them, train again, until the surrogate is as good as
// asked or the budget is used.
//
//   nouq::ImproveSettings settings;
//   settings.ranges = {{"k", 1, 6}, {"q", 0, 2}};
//   settings.budget = 40;
//   settings.target = 0.01;
//   settings.folder = "mine.improve";
//   const nouq::Improved better = nouq::improve(nouq::read("mine.npz"), settings, [](const nouq::SolverRun&
//   run) {
//     return nouq::SolverAnswer{my_solver(run.question.parameters.span())};
//   });
//   better.model.save("mine.nouq");
//
// or with a program of one's own instead of a function: program_solver below, which is what `nouq improve`
// does.
//
// Of all runs every fifth (TrainSettings::validation_fraction) is a check run: its place is drawn evenly over
// what is asked, and it is held out of training. The error of the surrogate is measured on them, and trust
// and bands are calibrated there; all others are where the design says. The surrogate is trained anew, or on
// from the one before, after every batch.
//
// Contract: the runs and the model are functions of the data, the settings and the solver; not of the number
// of jobs, of threads, or of interruptions: with a folder, the same call goes on where it was, however it
// ended. One process at a time uses a folder. A run that fails so many times is set aside and told; it
// counts.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/model.h>
#include <nouq/progress.h>
#include <nouq/settings.h>
#include <nouq/suggest.h>

namespace nouq {

// What is asked of a solver. Called from as many threads at once as there are jobs.
struct SolverRun {
  Index number = 0;               // of the run, from 0
  Index attempt = 0;              // from 0
  DataSet question;               // one sample without its solution: grid, inputs, parameters
  std::function<bool()> stopped;  // whether to give up; asked now and then by a solver that takes long
};

struct SolverAnswer {
  Array<double> outputs;  // [axes..., channels]; [axes...] where there is one channel
  std::map<std::string, Array<double>> constraint_values = {};  // of the laws of the data, by name
};

// What it throws is a failed attempt; Cancelled ends the loop.
using RunSolver = std::function<SolverAnswer(const SolverRun&)>;

struct ImproveSettings {
  std::vector<AskedRange> ranges = {};     // where the model is to be good, one for every parameter;
  std::optional<DataSet> candidates = {};  // or what could be run: inputs without solutions
  Index budget = 32;                       // runs of the solver, check runs and those set aside among them
  Index batch = 8;                         // runs between two trainings
  // Stop when the error of the check runs is at most this, ...
  double target = 0;
  // ... and this share of what is asked is called in-domain.
  double trusted = 0.8;
  // Where runs are done: "suggest" (nouq/suggest.h), or for comparison "sobol" or "random".
  std::string design = "suggest";
  Index among = 512;                       // how many points of the ranges are looked at
  std::uint64_t seed = 0;                  // of these points, and of the order of candidates
  std::string retrain = "anew";            // or "last": on from the model before
  int jobs = 1;                            // runs at a time
  Index retries = 1;                       // of a run that failed
  TrainSettings train = {};                // its folder, from and seed of the split are the loop's affair
  std::optional<DataSet> validation = {};  // held out, instead of check runs
  std::string folder = {};                 // what is done so far; none when empty
};

// After a training.
struct ImproveRound {
  Index runs = 0;       // of the solver so far, those set aside among them
  Index samples = 0;    // of the data, held-out ones among them
  Index held_out = 0;   // of these
  double error = 0;     // relative, of the held-out ones: those drawn as check runs as soon as there are four
  Index checks = 0;     // that the error is of
  double expected = 0;  // error that the model states over what is asked
  double in_domain = 0;  // share of what is asked; 0 without a calibration of trust
};

struct SetAside {
  Index run = 0;
  std::vector<double> parameters;  // none where the inputs are fields
  std::string reason;
};

struct Improved {
  Model model;
  DataSet data;  // all runs, in their order after the data of the beginning
  std::vector<ImproveRound> rounds;
  std::vector<SetAside> set_aside;
  bool reached = false;  // the target
};

// What the loop tells while it runs; never two at once.
struct ImproveProgress {
  std::function<void(const ImproveRound&)> on_round;
  // What became of an attempt; `failure` is empty where it is done.
  std::function<void(Index run, Index attempt, const std::string& failure)> on_run;
  Progress training;
  std::function<bool()> should_stop;  // asked all the time; true: Cancelled
};

// `data` are the runs that there are. With `model`, trained on them, the first training is spared.
NOUQ_API Improved improve(const DataSet& data, const ImproveSettings& settings, const RunSolver& solver,
                          const ImproveProgress& progress = {}, const std::optional<Model>& model = {});

// --- A program as solver -----------------------------------------------------------------------------------

// How a program is asked, and how its answer is read.
struct ProgramSolver {
  // Words between blanks; quotes and backslashes keep blanks together. There is no shell. In the words,
  // {input}, {output} and {folder} are paths, {run} is the number of the run and {NAME} the value of a
  // parameter. The same stand in the environment: NOUQ_INPUT, NOUQ_OUTPUT, NOUQ_FOLDER, NOUQ_RUN.
  std::string command;
  std::string input_format = {};          // "csv", "json" or "npz"; empty: csv for parameters, npz for fields
  std::string output_ending = ".npz";     // of the name that the program is to write; .csv for tables
  std::vector<std::string> outputs = {};  // arrays of the answer; empty: those with the names of the channels
  std::vector<std::string> axes = {};     // order of the answer's axes; empty: that of the data
  double timeout = 0;                     // seconds; 0: none
  std::string folder;                     // one below it for every attempt
};

// Words and placeholders are checked here, against the names of the data's parameters.
NOUQ_API RunSolver program_solver(const ProgramSolver& program, const DataSet& data);

}  // namespace nouq
