#include "api/improve_journal.h"

#include <algorithm>

#include "core/error.h"
#include "core/json.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

OrderedJson json_of(const ImproveRound& r) {
  return {{"runs", r.runs},     {"samples", r.samples},   {"held out", r.held_out},  {"error", r.error},
          {"checks", r.checks}, {"expected", r.expected}, {"in domain", r.in_domain}};
}

ImproveRound round_of(const OrderedJson& json) {
  return {json.at("runs"),   json.at("samples"),  json.at("held out"), json.at("error"),
          json.at("checks"), json.at("expected"), json.at("in domain")};
}

constexpr const char* how_to_go_on =
    "name another, or forget what is there (--fresh of the tool, or remove the folder)";

}  // namespace

ImproveJournal::ImproveJournal(const fs::path& folder, const OrderedJson& what) : folder_(folder) {
  if (folder_.empty()) return;
  make_folder(folder_ / "runs", "runs of the solver");
  lock_ = LockFile::try_lock(folder_ / "improve.lock");
  require(lock_.has_value(), "{} is in use: another process goes on with it; wait for it, or name another",
          folder_.string());
  if (file_exists(folder_ / "journal")) {
    read_journal(what);
  } else {
    add(what);
  }
}

void ImproveJournal::read_journal(const OrderedJson& what) {
  const fs::path file = folder_ / "journal";
  const MappedFile mapped(file);
  const auto bytes = mapped.bytes();
  text_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    bool first = true;
    for (std::size_t begin = 0; begin < text_.size(); first = false) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      const auto line = OrderedJson::parse(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                           text_.begin() + static_cast<std::ptrdiff_t>(end));
      require(!first || line == what, "{}: was begun with other data, ranges or settings; {}",
              folder_.string(), how_to_go_on);
      if (!first) take(line);
      begin = end + 1;
    }
  } catch (const OrderedJson::exception&) {
    fail("{}: damaged; {}", file.string(), how_to_go_on);
  }
}

void ImproveJournal::take(const OrderedJson& line) {
  if (line.contains("plan")) {
    ++batches_;
    first_of_batch_ = std::ssize(planned_);
    for (const OrderedJson& one : line.at("plan"))
      planned_.push_back({one.contains("check"), one.at(one.contains("check") ? "check" : "candidate")});
  } else if (line.contains("done")) {
    done_[line.at("run")] = line.at("done");
  } else if (line.contains("failed")) {
    failures_[line.at("run")].push_back(line.at("failed"));
  } else if (line.contains("set aside")) {
    set_aside_[line.at("run")] = line.at("set aside");
  } else if (line.contains("forget")) {
    for (const OrderedJson& run : line.at("forget")) {
      failures_.erase(run.get<Index>());
      set_aside_.erase(run.get<Index>());
    }
  } else if (line.contains("round")) {
    rounds_.push_back(round_of(line.at("round")));
    model_fingerprint_ = line.at("model");
  }
}

void ImproveJournal::add(const OrderedJson& line) {
  take(line);
  if (folder_.empty()) return;
  text_ += line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
  write_file_atomically(folder_ / "journal", text_);
}

Index ImproveJournal::failed_attempts(Index run) const {
  const auto found = failures_.find(run);
  return found == failures_.end() ? 0 : std::ssize(found->second);
}

std::string ImproveJournal::last_failure(Index run) const {
  const auto found = failures_.find(run);
  return found == failures_.end() ? "" : found->second.back();
}

void ImproveJournal::plan(const std::vector<PlannedPlace>& batch) {
  OrderedJson list = OrderedJson::array();
  for (const PlannedPlace& one : batch) list.push_back({{one.check ? "check" : "candidate", one.place}});
  add({{"plan", std::move(list)}});
}

void ImproveJournal::add_done(Index run, const DataSet& sample) {
  if (folder_.empty()) {
    samples_[run] = sample;
  } else {
    write(run_file(run).string(), sample);
  }
  add({{"run", run}, {"done", fingerprint(sample)}});
}

void ImproveJournal::add_failure(Index run, Index attempt, const std::string& why) {
  add({{"run", run}, {"attempt", attempt}, {"failed", why}});
}

void ImproveJournal::add_set_aside(Index run) { add({{"run", run}, {"set aside", last_failure(run)}}); }

void ImproveJournal::forget(const std::vector<Index>& runs) { add({{"forget", runs}}); }

void ImproveJournal::add_round(const ImproveRound& round, const Model& model) {
  const Index number = std::ssize(rounds_);
  std::string print;
  model_ = model;
  if (!folder_.empty()) {
    model.save(model_file(number).string());
    print = Model::fingerprint(model_file(number).string());
  }
  add({{"round", json_of(round)}, {"model", print}});
  std::error_code ignored;  // the one before the last is there where a process ended just here
  for (Index old = std::max<Index>(0, number - 2); !folder_.empty() && old < number; ++old)
    fs::remove(model_file(old), ignored);
}

DataSet ImproveJournal::sample(Index run) const {
  if (folder_.empty()) return samples_.at(run);
  DataSet data = read(run_file(run).string());
  require(fingerprint(data) == done_.at(run), "{}: is not what the solver wrote; {}", run_file(run).string(),
          how_to_go_on);
  return data;
}

Model ImproveJournal::model() const {
  if (model_) return *model_;
  const std::string file = model_file(std::ssize(rounds_) - 1).string();
  require(Model::fingerprint(file) == model_fingerprint_, "{}: is not the model of the last round; {}", file,
          how_to_go_on);
  return Model::load(file);
}

fs::path ImproveJournal::run_file(Index run) const {
  return folder_ / "runs" / fmt::format("run{:05}.npz", run);
}

fs::path ImproveJournal::model_file(Index round) const {
  return folder_ / fmt::format("round{:04}.nouq", round);
}

}  // namespace nouq
