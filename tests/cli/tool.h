// Runs the tool in a folder and catches what it says.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/temporary_folder.h"
#include "support/paths.h"

namespace nouq::test {

struct Outcome {
  int code = -1;
  std::string output;  // standard output
  std::string errors;  // standard error
  long peak = 0;       // of the memory in use, in bytes
};

class Tool {
 public:
  explicit Tool(std::string program = tool()) : program_(std::move(program)) {}

  // In a folder of its own, which is also where its files are.
  Outcome operator()(const std::vector<std::string>& words) const {
    const std::string output = folder_ / ".output", errors = folder_ / ".errors";
    const pid_t child = fork();
    if (child == 0) {
      redirect(output, STDOUT_FILENO);
      redirect(errors, STDERR_FILENO);
      execute(words);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read_all(output), read_all(errors),
            usage.ru_maxrss * 1024};
  }

  // For a child that has been forked already; does not return.
  [[noreturn]] void execute(const std::vector<std::string>& words) const {
    std::vector<char*> arguments = {const_cast<char*>(program_.c_str())};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (chdir((folder_ / ".").c_str()) == 0) execv(program_.c_str(), arguments.data());
    _exit(127);
  }

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  static void redirect(const std::string& path, int descriptor) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, descriptor);
    close(file);
  }

  std::string program_;
  TemporaryFolder folder_;
};

}  // namespace nouq::test
