#include <algorithm>
#include <cmath>
#include <memory>

#include <nouq/improve.h>
#include <nouq/train.h>

#include "api/improve_journal.h"
#include "api/improve_measure.h"
#include "api/improve_pool.h"
#include "api/improve_runs.h"
#include "api/improve_samples.h"
#include "core/error.h"
#include "data/split.h"

namespace nouq {
namespace {

[[noreturn]] void fail_stopped(const ImproveSettings& settings) {
  throw Cancelled(
      settings.folder.empty()
          ? "the loop with the solver was stopped; nothing was kept"
          : fmt::format("the loop with the solver was stopped; what is done is in {}, and the same "
                        "call goes on from there",
                        settings.folder));
}

void check(const ImproveSettings& s) {
  require(s.budget >= 1 && s.budget <= 100'000, "budget = {}: expected 1 to 100000 runs", s.budget);
  require(s.batch >= 1 && s.batch <= 4096, "batch = {}: expected 1 to 4096 runs", s.batch);
  require(s.jobs >= 1 && s.jobs <= 1024, "jobs = {}: expected 1 to 1024", s.jobs);
  require(s.retries >= 0 && s.retries <= 100, "retries = {}: expected 0 to 100", s.retries);
  require(s.target >= 0 && std::isfinite(s.target), "target = {}: expected a relative error, as 0.01",
          s.target);
  require(s.trusted >= 0 && s.trusted <= 1, "trusted = {}: expected a share from 0 to 1", s.trusted);
  require(s.design == "suggest" || s.design == "sobol" || s.design == "random",
          "design = '{}': expected suggest, sobol or random", s.design);
  require(s.retrain == "anew" || s.retrain == "last", "retrain = '{}': expected anew or last", s.retrain);
}

// What must be the same for a folder to be gone on with.
OrderedJson identity(const DataSet& data, const ImproveSettings& s, const std::optional<Model>& model) {
  OrderedJson ranges = OrderedJson::array();
  for (const AskedRange& r : s.ranges) ranges.push_back({r.name, r.low, r.high});
  OrderedJson what = {{"improve", 1},
                      {"data", fingerprint(data)},
                      {"ranges", ranges},
                      {"candidates", s.candidates ? fingerprint(*s.candidates) : ""},
                      {"validation", s.validation ? fingerprint(*s.validation) : ""},
                      {"design", s.design},
                      {"batch", s.batch},
                      {"among", std::max(s.among, s.design == "suggest" ? s.among : s.budget)},
                      {"seed", s.seed},
                      {"retrain", s.retrain},
                      {"train", to_json(s.train)}};
  if (model) what["model"] = model->facts().contains("settings") ? model->facts().at("settings") : "";
  return what;
}

void remove_checkpoints(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& file : list_files(folder)) std::filesystem::remove(file, ignored);
  std::filesystem::remove(folder, ignored);
}

class Loop {
 public:
  Loop(const DataSet& data, const ImproveSettings& settings, const RunSolver& solver,
       const ImproveProgress& progress, const std::optional<Model>& model)
      : data_(data),
        settings_(settings),
        solver_(solver),
        progress_(progress),
        journal_(settings.folder, identity(data, settings, model)) {
    divide_data();
    if (model) pool_ = improve_pool(*model, settings_);
    const bool begins = journal_.rounds().empty();
    if (begins && model) end_round(*model);
    if (begins && !model) train_again();
    if (!pool_) pool_ = improve_pool(journal_.model(), settings_);
  }

  Improved run() {
    for (;;) {
      const bool trained = std::ssize(journal_.rounds()) > journal_.batches();
      if (trained && (reached() || !plan_batch())) break;
      run_batch();
      train_again();
    }
    return result();
  }

 private:
  // Which of the data of the beginning are held out, as `train` does it.
  void divide_data() {
    const double share = settings_.train.validation_fraction;
    if (settings_.validation) {
      for (Index i = 0; i < data_.size(); ++i) base_train_.push_back(i);
      return;
    }
    require_samples(data_, 2, "a training and a validation part", "data to begin with");
    const Split parts =
        split(data_.size(), split_counts(data_.size(), {1.0 - share, share, 0.0}), settings_.train.seed);
    base_train_ = parts.train;
    base_held_out_ = parts.validation;
  }

  [[nodiscard]] bool reached() const {
    const ImproveRound& last = journal_.rounds().back();
    return settings_.target > 0 && last.error <= settings_.target && last.in_domain >= settings_.trusted;
  }

  // The share of held-out runs is that of the training's settings, evenly over the runs.
  [[nodiscard]] bool is_check(Index run) const {
    const double share = settings_.validation ? 0 : settings_.train.validation_fraction;
    return std::floor(share * static_cast<double>(run + 1)) > std::floor(share * static_cast<double>(run));
  }

  // False when nothing is left to be run.
  bool plan_batch() {
    const std::vector<PlannedPlace>& planned = journal_.planned();
    std::vector<bool> taken(static_cast<std::size_t>(pool_->candidates.size()), false);
    Index checks = 0;
    for (const PlannedPlace& one : planned) {
      checks += one.check ? 1 : 0;
      if (!one.check) taken[static_cast<std::size_t>(one.place)] = true;
    }
    const Index first = std::ssize(planned), count = std::min(settings_.batch, settings_.budget - first);
    std::vector<PlannedPlace> batch;
    Index wanted = 0;
    for (Index run = first; run < first + count; ++run) {
      const bool check = is_check(run) && checks < pool_->checks.size();
      batch.push_back({check, check ? checks : -1});
      checks += check ? 1 : 0;
      wanted += check ? 0 : 1;
    }
    const std::vector<Index> chosen =
        next_candidates(journal_.model(), *pool_, taken, known_inputs(), wanted, settings_);
    auto next = chosen.begin();
    for (PlannedPlace& one : batch)
      if (!one.check && next != chosen.end()) one.place = *next++;
    std::erase_if(batch, [](const PlannedPlace& one) { return one.place < 0; });
    if (!batch.empty()) journal_.plan(batch);
    return !batch.empty();
  }

  [[nodiscard]] DataSet question(Index run) const {
    const PlannedPlace& place = journal_.planned()[static_cast<std::size_t>(run)];
    return select(place.check ? pool_->checks : pool_->candidates, {place.place});
  }

  // Inputs of all runs that train the surrogate, or that were set aside: nothing is learnt there by going
  // again.
  [[nodiscard]] DataSet known_inputs() const {
    std::vector<DataSet> others;
    for (Index run = 0; run < std::ssize(journal_.planned()); ++run)
      if (!journal_.planned()[static_cast<std::size_t>(run)].check) others.push_back(question(run));
    DataSet base = data_;
    base.outputs = {};
    base.constraint_values.clear();
    return joined(base, base_train_, others);
  }

  void run_batch() {
    // All before the last plan are finished.
    std::vector<Index> runs;
    for (Index run = 0; run < std::ssize(journal_.planned()); ++run) runs.push_back(run);
    const auto first = static_cast<Index>(journal_.first_of_batch());
    runs.erase(runs.begin(), runs.begin() + first);
    do_runs(
        runs, [this](Index run) { return question(run); }, data_, settings_, solver_, progress_, journal_);
    const auto lost =
        std::count_if(runs.begin(), runs.end(), [this](Index run) { return journal_.is_set_aside(run); });
    if (lost < std::ssize(runs) || std::ssize(runs) < 2) return;
    const std::string why = journal_.set_aside().at(runs.front());
    journal_.forget(runs);
    fail("none of the {} runs of a batch could be used; run {}: {}", runs.size(), runs.front(), why);
  }

  // Runs that are done, of those held out or of the others.
  [[nodiscard]] std::vector<DataSet> done(bool checks) const {
    std::vector<DataSet> list;
    for (Index run = 0; run < std::ssize(journal_.planned()); ++run)
      if (journal_.is_done(run) && journal_.planned()[static_cast<std::size_t>(run)].check == checks)
        list.push_back(journal_.sample(run));
    return list;
  }

  [[nodiscard]] DataSet held_out() const {
    return settings_.validation ? *settings_.validation : joined(data_, base_held_out_, done(true));
  }

  [[nodiscard]] TrainSettings train_settings() const {
    TrainSettings train = settings_.train;
    train.folder = settings_.folder.empty() ? "" : settings_.folder + "/training";
    train.from = {};
    if (settings_.retrain == "last" && !journal_.rounds().empty())
      train.from_model = std::make_shared<const Model>(journal_.model());
    return train;
  }

  void train_again() {
    Progress told = progress_.training;
    if (progress_.should_stop)
      told.should_stop = [own = told.should_stop, ours = progress_.should_stop] {
        return ours() || (own && own());
      };
    end_round(train(joined(data_, base_train_, done(false)), held_out(), train_settings(), told));
    if (!settings_.folder.empty()) remove_checkpoints(settings_.folder + "/training");
  }

  // Measures, and writes it down.
  void end_round(const Model& model) {
    if (!pool_) pool_ = improve_pool(model, settings_);
    const int threads = settings_.train.threads;
    const std::vector<DataSet> checks = done(true);
    const bool drawn = !settings_.validation && std::ssize(checks) >= least_checks;
    const DataSet held = drawn ? joined(checks.front(), {0}, {checks.begin() + 1, checks.end()}) : held_out();
    const Outlook outlook = outlook_of(model, pool_->checks, threads);
    ImproveRound round;
    round.runs = std::ssize(journal_.planned());
    round.held_out = settings_.validation ? 0 : std::ssize(base_held_out_) + std::ssize(checks);
    round.samples = data_.size() + std::ssize(checks) + std::ssize(done(false));
    round.error = held_out_error(model, held, threads);
    round.checks = held.size();
    round.expected = outlook.expected;
    round.in_domain = outlook.in_domain;
    journal_.add_round(round, model);
    if (progress_.on_round) progress_.on_round(round);
  }

  Improved result() {
    std::vector<DataSet> runs;
    std::vector<SetAside> lost;
    std::vector<Index> all;
    for (Index i = 0; i < data_.size(); ++i) all.push_back(i);
    for (Index run = 0; run < std::ssize(journal_.planned()); ++run)
      if (journal_.is_done(run)) runs.push_back(journal_.sample(run));
    for (const auto& [run, why] : journal_.set_aside()) {
      const DataSet asked = question(run);
      lost.push_back({run, {asked.parameters.begin(), asked.parameters.end()}, why});
    }
    return {journal_.model(), joined(data_, all, runs), journal_.rounds(), std::move(lost), reached()};
  }

  static constexpr Index least_checks = 4;
  const DataSet& data_;
  const ImproveSettings& settings_;
  const RunSolver& solver_;
  const ImproveProgress& progress_;
  ImproveJournal journal_;
  std::vector<Index> base_train_, base_held_out_;
  std::optional<ImprovePool> pool_;
};

}  // namespace

Improved improve(const DataSet& data, const ImproveSettings& settings, const RunSolver& solver,
                 const ImproveProgress& progress, const std::optional<Model>& model) {
  check(settings);
  check_data(data, settings.train, "data to begin with");
  try {
    return Loop(data, settings, solver, progress, model).run();
  } catch (const Cancelled&) {
    fail_stopped(settings);
  }
}

}  // namespace nouq
