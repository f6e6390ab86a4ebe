// Another program, run in a process group of its own, to its end or to a limit.
//
// Why: a solver that hangs, or that starts programs of its own, must not outlive its time, nor the process
// that asked for it. When: the runs of nouq/improve.h. How: a keeper is forked that leads the group; it
// starts the program, waits for it, and kills the whole group when the program has ended or when the process
// that asked is gone, however that came to its end. Contract: no shell is asked; the words reach the program
// as they are. Standard input is empty; both outputs go to one file. What leaves the group (setsid) is out of
// reach.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace nouq {

struct ProcessRequest {
  std::vector<std::string> words;  // the program, found as in PATH, and its words
  std::vector<std::pair<std::string, std::string>> environment;  // besides what this process has
  std::filesystem::path output;                                  // of standard output and standard error
  std::chrono::milliseconds limit{0};                            // 0: none
  std::chrono::milliseconds grace{2000};                         // between SIGTERM and SIGKILL
};

struct ProcessEnd {
  enum class How { exited, signalled, out_of_time, stopped, not_started };
  How how = How::exited;
  int code = 0;  // exit code, signal, or the system's error number
};

// Waits for the end. `stop` is asked some twenty times a second; true ends the group.
ProcessEnd run_process(const ProcessRequest& request, const std::function<bool()>& stop = {});

// "exit code 3", "killed by signal 11 (Segmentation fault)", ...; empty for exit code 0.
std::string describe(const ProcessEnd& end, std::chrono::milliseconds limit);

}  // namespace nouq
