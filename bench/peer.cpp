#include "peer.h"

#include <array>
#include <csignal>
#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

namespace nouq::bench {

namespace {

std::string read_line(std::FILE* file) {
  std::string line;
  for (int c = std::fgetc(file); c != EOF && c != '\n'; c = std::fgetc(file)) line += static_cast<char>(c);
  return line;
}

}  // namespace

Peer::Peer(const std::string& script, const std::string& python) {
  std::array<int, 2> request{}, answer{};
  if (pipe(request.data()) != 0 || pipe(answer.data()) != 0) return;
  child_ = fork();
  if (child_ == 0) {
    dup2(request[0], STDIN_FILENO);
    dup2(answer[1], STDOUT_FILENO);
    for (const int end : {request[0], request[1], answer[0], answer[1]}) close(end);
    execlp(python.c_str(), python.c_str(), script.c_str(), nullptr);
    _exit(127);
  }
  close(request[0]);
  close(answer[1]);
  std::signal(SIGPIPE, SIG_IGN);
  in_ = fdopen(request[1], "w");
  out_ = fdopen(answer[0], "r");
  const std::string line = read_line(out_);
  available_ = line.starts_with("ok ");
  if (!line.empty()) description_ = available_ ? line.substr(3) : line;
}

Peer::~Peer() {
  if (in_ == nullptr) return;
  std::fclose(in_);
  std::fclose(out_);
  waitpid(child_, nullptr, 0);
}

std::optional<double> Peer::measure(const std::string& request) {
  if (!available()) return std::nullopt;
  std::fprintf(in_, "%s\n", request.c_str());
  std::fflush(in_);
  double milliseconds = 0;
  if (std::fscanf(out_, "%lf", &milliseconds) != 1) return std::nullopt;
  return milliseconds;
}

std::string peer_python(int count, char** arguments) {
  for (int i = 1; i + 1 < count; ++i) {
    if (std::string(arguments[i]) == "--peer-python") return arguments[i + 1];
  }
  return system_python;
}

}  // namespace nouq::bench
