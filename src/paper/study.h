// What a study consists of: its settings, the data of a case (one problem and one seed), the settings and
// networks of each method, and what results are named by. run_study.h runs it, or evaluates it anew.
//
// Contract: all of it is a pure function of the study's options and the case. Trained networks are found
// again by the hash of their settings and data in `models`; results are files of the store (result_store.h).
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nouq/data.h>

#include "paper/result_store.h"
#include "uq/selection.h"

namespace nouq::paper {

// What the presets in presets/ hold.
struct StudyOptions {
  Index epochs = 500;
  Index samples = 400;       // four fifths to train on, one to validate
  Index test_samples = 200;  // for each range
  SelectionGrid grid = {.width = {32}, .rate = {1e-3}};
  Index count = 10;  // heads, networks, masks
  // What keeps the heads of diverse apart (nn/diversity.h). The kinds that look at outputs are given inputs
  // of the small shift, without solutions: `unlabelled` many (released: 200), or a tenth of `samples`.
  std::string diversity = "weights";
  // How the learning rate falls (train/schedule.h), and what the diversity of the heads saturates at; 0: at
  // nothing, as in the paper.
  std::string schedule = "step";
  double bound = 0;
  std::string diversity_through = "heads";
  Index sampled = 0;     // heads drawn for a batch (released: 5); 0: all
  Index unlabelled = 0;  // 0: a tenth of `samples`
  // Of every method that has it, "relative_l2" or "relative_l2_squared"; others keep their own.
  std::string loss = "auto";
  Index period = 0;  // epochs after which the learning rate is halved; 0: a tenth of all
};

// What a study may ask for: of the command line, and of results, which are files and not trusted.
struct StudyLimits {
  struct Range {
    double low, high;
    [[nodiscard]] bool holds(Index value) const {
      return static_cast<double>(value) >= low && static_cast<double>(value) <= high;
    }
  };
  Range epochs{1, 1e6}, samples{25, 1e7}, test_samples{2, 1e7}, count{2, 1000};
  Range sampled{0, 1000}, unlabelled{0, 1e6}, period{0, 1e6};
};
inline constexpr StudyLimits study_limits;

// One problem with one seed: the data, and all methods trained on it.
struct StudyCase {
  std::string problem;
  std::uint64_t seed = 0;
  std::vector<std::string> methods;
};

struct StudyPlaces {
  std::filesystem::path results;  // the store
  std::filesystem::path models;   // trained networks
  int threads = 0;
  bool any_processor = false;  // go on with networks that were begun with other vector instructions
};

struct StudyData {
  DataSet train;
  DataSet validation;
  Array<float> unlabelled;  // inputs for the kinds of diversity that look at outputs; else empty
};

// Drawn with the case's seed; tests draw with seed + 1000, unlabelled inputs with seed + 2000.
StudyData study_data(const StudyOptions& options, const StudyCase& study_case);
inline constexpr std::uint64_t test_seed_offset = 1000;
inline constexpr std::uint64_t unlabelled_seed_offset = 2000;

// The settings of one method's fit. The data must outlive them.
FitOptions study_fit(const StudyOptions& options, const StudyCase& study_case, const std::string& method,
                     const StudyData& data);
// The data as the networks see them: normalised where nouq would (default_fit). Of the paper's problems that
// is Darcy, whose pressures are of the size of 0.01; networks of the others see what the paper's do. The data
// must outlive it.
FitData seen_data(const StudyOptions& options, const StudyCase& study_case, const StudyData& data);
// What a result is named by.
OrderedJson result_settings(const StudyOptions& options, const StudyCase& study_case,
                            const std::string& method);

// Whether results with these settings have the usual diversity, loss and period: the study's curves are told
// apart by the others.
bool is_usual(const OrderedJson& settings);

// "heat, diverse, seed 0": a result's name in messages.
std::string words_of(const StudyCase& study_case, const std::string& method);

// The options behind a result's settings; none where other defaults than today's were in use, so that its
// numbers are not to be compared with today's.
std::optional<StudyOptions> options_behind(const OrderedJson& settings);

// The methods of a case that the store does not have.
std::vector<std::string> open_methods(const StudyOptions& options, const StudyCase& study_case,
                                      const ResultStore& store);

// The networks of all trials of a method; two methods may share some. The data must outlive them.
std::vector<TrainerOptions> method_trainings(const StudyOptions& options, const StudyCase& study_case,
                                             const std::string& method, const StudyData& data,
                                             const FitData& seen);

// Those of the trainings that have no file in the folder, finished or not: the files' names without ending.
std::vector<std::string> missing_networks(std::span<const TrainerOptions> trainings, const FitData& seen,
                                          const std::filesystem::path& models);

// How networks of a study are trained: shared with other processes, a diverged trial is no reason to stop.
TrainingsOptions study_trainings(const StudyPlaces& places);

// What is computed from the data once the networks are trained: trust, bands and how strict the law is. The
// paper's figures are of the spread as the methods give it; `sized` adds the size of sigma (uq/sizing.h).
void calibrate(const StudyData& data, bool sized, int threads, Surrogate& surrogate);

}  // namespace nouq::paper
