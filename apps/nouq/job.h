// The tool as a job: one of several ranks that a launcher started (src/cluster), one part of an array of
// jobs, or a process whose time is limited.
//
// When: `train`, `select` and `reproduce` share their networks, `generate` its samples; every other command
// is done by rank 0 alone. Contract: results, messages and progress come from rank 0; an error of another
// rank is told with its name, unless rank 0 has the same one. A job that fails ends on all ranks at once.
#pragma once

#include <memory>
#include <string>

#include "cluster/cluster.h"
#include "config/option_table.h"
#include "output.h"

namespace nouq::cli {

// Of this process, around everything.
class Job {
 public:
  // Meets the other ranks, where there are any.
  void join();
  // In front of what this process has to say about an error; on other ranks than 0 only after rank 0 had its
  // say.
  [[nodiscard]] std::string speaker() const;
  // The end: what main returns. Does not return where a job of several ranks failed.
  int end(int code);

 private:
  std::unique_ptr<Cluster> cluster_;
};

struct JobOptions {
  std::string time_limit;
  std::string part;
};
void add_job_options(OptionTable& table, JobOptions& options);

// Whether a command, by its name, shares its work.
bool shares_work(const std::string& command);
// Before such a command: says who is there, and does what the options ask for.
void start_together(const JobOptions& options, const Output& output);
// Before any other command: releases all ranks but rank 0, which works as if it were the only one.
void start_alone();

}  // namespace nouq::cli
