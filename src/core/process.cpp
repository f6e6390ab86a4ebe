#include "core/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/descriptor.h"
#include "core/error.h"

namespace nouq {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_failure("cannot make a pipe: {}", reason());
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
  std::array<int, 2> ends{};
  Descriptor read{-1}, write{-1};
};

// What the keeper says: how the program ended, or why it could not be started.
struct Word {
  bool started = false;
  int value = 0;  // as waitpid has it, or errno
};

// Pointers that exec takes; made before the fork, because nothing may be allocated after it.
std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> whole_environment(const ProcessRequest& request) {
  std::vector<std::string> all;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    const std::string text = *one;
    bool replaced = false;
    for (const auto& [name, value] : request.environment) replaced |= text.starts_with(name + "=");
    if (!replaced) all.push_back(text);
  }
  for (const auto& [name, value] : request.environment) all.push_back(name + "=" + value);
  return all;
}

// --- In the keeper and the program: calls that are safe between fork and exec, and nothing else
// --------------

void default_signals() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become(char* const* words, char* const* environment, int output, int failure) {
  default_signals();
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
      ::dup2(output, STDERR_FILENO) >= 0)
    ::execvpe(words[0], words, environment);
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(failure, &error, sizeof error);
  ::_exit(127);
}

void on_child(int /*signal*/) {}

// All but what is needed: a lock or a pipe of somebody else must not live on in the keeper.
void close_between(unsigned first, unsigned last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, last, 0U) == 0) return;
#endif
  constexpr unsigned most = 65536;
  for (unsigned file = first; file <= last && file < most; ++file) ::close(static_cast<int>(file));
}

void close_others(std::array<int, 3> kept) {
  for (std::size_t i = 0; i + 1 < kept.size();
       ++i)  // in their order; std::sort promises nothing after a fork
    for (std::size_t j = 0; j + 1 < kept.size(); ++j)
      if (kept[j] > kept[j + 1]) std::swap(kept[j], kept[j + 1]);
  unsigned first = STDERR_FILENO + 1;
  for (const int one : kept) {
    if (one <= STDERR_FILENO) continue;
    close_between(first, static_cast<unsigned>(one) - 1);
    first = static_cast<unsigned>(one) + 1;
  }
  close_between(first, ~0U);
}

void ignore(int signal) {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  ::sigaction(signal, &action, nullptr);
}

[[noreturn]] void end_group(int said, const Word& word) {
  [[maybe_unused]] const auto written = ::write(said, &word, sizeof word);
  ::kill(0, SIGKILL);
  ::_exit(0);
}

// Until the program has ended, or the other end of `alive` is gone.
[[noreturn]] void keep(pid_t program, int alive, int said, const sigset_t& open) {
  for (;;) {
    int status = 0;
    if (::waitpid(program, &status, WNOHANG) == program) end_group(said, {true, status});
    pollfd watched{alive, POLLIN, 0};
    if (::ppoll(&watched, 1, nullptr, &open) > 0) ::kill(0, SIGKILL);
  }
}

[[noreturn]] void be_keeper(char* const* words, char* const* environment, int output, int alive, int said) {
  ::setpgid(0, 0);
  close_others({output, alive, said});
  default_signals();
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2}) ignore(signal);
  struct sigaction action {};
  action.sa_handler = on_child;
  ::sigaction(SIGCHLD, &action, nullptr);
  sigset_t child, open;
  ::sigemptyset(&open);
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child, nullptr);
  std::array<int, 2> failure{};
  int error = 0;
  if (::pipe2(failure.data(), O_CLOEXEC) != 0) end_group(said, {false, errno});
  const pid_t program = ::fork();
  if (program == 0) become(words, environment, output, failure[1]);
  if (program < 0) end_group(said, {false, errno});
  ::close(failure[1]);
  if (::read(failure[0], &error, sizeof error) == sizeof error) end_group(said, {false, error});
  ::close(output);
  keep(program, alive, said, open);
}

// --- In the process that asks
// -----------------------------------------------------------------------------------

std::optional<Word> word_within(int said, Milliseconds time) {
  pollfd watched{said, POLLIN, 0};
  if (::poll(&watched, 1, static_cast<int>(time.count())) <= 0) return std::nullopt;
  Word word;
  const auto count = ::read(said, &word, sizeof word);
  if (count < 0) return std::nullopt;
  // A keeper that ended without a word was killed, and its group with it.
  return count == sizeof word ? word : Word{true, SIGKILL};
}

// Asks the group to end, and then makes it.
void end(pid_t group, int said, Milliseconds grace) {
  ::kill(-group, SIGTERM);
  const auto until = Clock::now() + grace;
  while (Clock::now() < until)
    if (word_within(said, Milliseconds(20))) break;
  ::kill(-group, SIGKILL);
}

ProcessEnd ended(const Word& word) {
  if (!word.started) return {ProcessEnd::How::not_started, word.value};
  if (WIFSIGNALED(word.value)) return {ProcessEnd::How::signalled, WTERMSIG(word.value)};
  return {ProcessEnd::How::exited, WEXITSTATUS(word.value)};
}

ProcessEnd await(pid_t keeper, int said, const ProcessRequest& request, const std::function<bool()>& stop) {
  const auto start = Clock::now();
  for (;;) {
    if (const auto word = word_within(said, Milliseconds(50))) return ended(*word);
    const bool late = request.limit.count() > 0 && Clock::now() - start > request.limit;
    if (!late && !(stop && stop())) continue;
    end(keeper, said, request.grace);
    return {late ? ProcessEnd::How::out_of_time : ProcessEnd::How::stopped, 0};
  }
}

}  // namespace

ProcessEnd run_process(const ProcessRequest& request, const std::function<bool()>& stop) {
  require(!request.words.empty(), "a program to run: there are no words, expected at least its name");
  const Descriptor output(::open(request.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!output.valid()) throw_failure("cannot create {}: {}", request.output.string(), reason());
  const std::vector<std::string> environment = whole_environment(request);
  const std::vector<char*> words = pointers(request.words), settings = pointers(environment);
  Pipe alive, said;
  const pid_t keeper = ::fork();
  if (keeper < 0) throw_failure("cannot start {}: {}", request.words.front(), reason());
  if (keeper == 0) {
    ::close(alive.ends[1]);
    be_keeper(words.data(), settings.data(), output.get(), alive.ends[0], said.ends[1]);
  }
  ::setpgid(keeper, keeper);  // whoever comes first
  said.write = Descriptor(-1);
  const ProcessEnd how = await(keeper, said.read.get(), request, stop);
  ::kill(-keeper, SIGKILL);
  while (::waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) {
  }
  return how;
}

std::string describe(const ProcessEnd& end, Milliseconds limit) {
  switch (end.how) {
    case ProcessEnd::How::exited:
      return end.code == 0 ? "" : fmt::format("ended with exit code {}", end.code);
    case ProcessEnd::How::signalled:
      return fmt::format("was killed by signal {} ({})", end.code, ::strsignal(end.code));
    case ProcessEnd::How::out_of_time:
      return fmt::format("was still running after {:g} s", static_cast<double>(limit.count()) / 1000);
    case ProcessEnd::How::stopped:
      return "was stopped";
    case ProcessEnd::How::not_started:
      break;
  }
  return fmt::format("could not be started: {}", std::generic_category().message(end.code));
}

}  // namespace nouq
