#include "job.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <thread>

#include "argument_values.h"
#include "core/error.h"
#include "core/large_memory.h"
#include "core/parse.h"
#include "core/thread_limit.h"
#include "unattended.h"

namespace nouq::cli {
namespace {

std::string description;  // of the ranks; empty where there is one
OnePart part_of_array({});

// "2/8".
Part parse_part(const std::string& text) {
  const auto [index, count] = split_once(text, '/');
  Part part;
  require(nouq::parse_number(index, part.index) && nouq::parse_number(count, part.count) && part.index >= 0 &&
              part.index < part.count,
          "--part = '{}': expected I/N with I from 0 to N - 1, as in 0/8", text);
  return part;
}

constexpr unsigned most_seconds = 400000000;  // ten years and more

// "45m"
std::optional<unsigned> seconds_by_unit(const std::string& text) {
  const std::map<char, unsigned> units = {{'s', 1}, {'m', 60}, {'h', 3600}};
  const auto unit = text.empty() ? units.end() : units.find(text.back());
  unsigned number = 0;
  if (unit == units.end() || !nouq::parse_number(std::string_view(text).substr(0, text.size() - 1), number) ||
      number > most_seconds / unit->second)
    return std::nullopt;
  return number * unit->second;
}

// "11:50:00"
std::optional<unsigned> seconds_by_colons(const std::string& text) {
  const auto [hours, rest] = split_once(text, ':');
  const auto [minutes, seconds] = split_once(rest, ':');
  std::array<unsigned, 3> numbers{};
  if (!nouq::parse_number(hours, numbers[0]) || !nouq::parse_number(minutes, numbers[1]) ||
      !nouq::parse_number(seconds, numbers[2]) || numbers[0] > most_seconds / 3600 || numbers[1] > 59 ||
      numbers[2] > 59)
    return std::nullopt;
  return 3600 * numbers[0] + 60 * numbers[1] + numbers[2];
}

// Where no limit of the system says it: NOUQ_MEMORY, in MiB.
std::size_t usable_memory() {
  const char* text = std::getenv("NOUQ_MEMORY");
  if (text == nullptr) return memory_limit();
  std::size_t number = 0;
  require(nouq::parse_number(text, number) && number > 0 && number < (std::size_t{1} << 40U),
          "NOUQ_MEMORY = '{}': expected a number of MiB", text);
  return number << 20U;
}

unsigned parse_duration(const std::string& text) {
  const auto by_unit = seconds_by_unit(text);
  const auto seconds = by_unit ? by_unit : seconds_by_colons(text);
  require(seconds && *seconds > 0, "--time-limit = '{}': expected a time as in 90s, 45m, 12h or 11:50:00",
          text);
  return *seconds;
}

}  // namespace

void Job::join() {
  if (runs_as_job()) run_unattended();
  cluster_ = join_cluster();
  // An eighth of it for arrays: the rest is for what is computed with them, and for files.
  const std::size_t neighbours = cluster_ ? cluster_->neighbours() : 1;
  keep_large_arrays_in_files(folder_on_disk(), usable_memory() / 8 / neighbours);
  if (!cluster_) return;
  use_ranks(cluster_.get());
  limit_threads(cluster_->cores());
  if (cluster_->size() > 1) description = cluster_->description();
  // Rank 0 says the same.
  if (cluster_->rank() > 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
    throw_failure("cannot open /dev/null");
}

std::string Job::speaker() const {
  if (!cluster_ || cluster_->rank() == 0) return "";
  std::this_thread::sleep_for(std::chrono::seconds(1));
  return cluster_->name_of(cluster_->rank()) + ": ";
}

int Job::end(int code) {
  if (!cluster_) return code;
  use_ranks(nullptr);
  std::fflush(nullptr);
  if (code != 0 && code != unfinished && code != 130) cluster_->abort(code);
  cluster_->leave();
  return code;
}

void add_job_options(OptionTable& table, JobOptions& options) {
  table.group("As a job");
  table
      .add("time-limit", options.time_limit,
           "stop with a checkpoint after this long, with exit code 75: the same command goes on")
      .shown_as("HH:MM:SS");
  table
      .add(
          "part", options.part,
          "train one share of the networks, I from 0 to N - 1; the command without it then puts all together")
      .shown_as("I/N");
}

bool shares_work(const std::string& command) {
  return command == "train" || command == "select" || command == "reproduce" || command == "generate";
}

void start_together(const JobOptions& options, const Output& output) {
  if (!options.time_limit.empty()) limit_time(parse_duration(options.time_limit));
  if (!options.part.empty()) {
    require(ranks().size() == 1,
            "--part {}: {} ranks share the networks by themselves; leave --part out, or start one process",
            options.part, ranks().size());
    part_of_array = OnePart(parse_part(options.part));
    use_ranks(&part_of_array);
  }
  if (!description.empty()) output.say("{}", description);
}

void start_alone() {
  if (ranks().rank() > 0) throw Released("");
  use_ranks(nullptr);
}

}  // namespace nouq::cli
