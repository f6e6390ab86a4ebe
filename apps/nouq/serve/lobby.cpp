#include "serve/lobby.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "serve/request_head.h"

namespace nouq::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds glance(250);     // how often time limits are looked at
constexpr std::chrono::milliseconds a_moment(20);    // how often somebody may have become old enough to go
constexpr std::chrono::milliseconds goodbye(2'000);  // without a byte of a refused client that has not closed

bool has_nothing_to_say(int socket) {
  int bytes = 0;
  return ioctl(socket, FIONREAD, &bytes) == 0 && bytes == 0;
}

}  // namespace

Lobby::Lobby(const ServeLimits& limits, Answer answer)
    : limits_(limits),
      answer_(std::move(answer)),
      poll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC)) {
  if (poll_ < 0 || wake_ < 0) throw_failure("serve: no poll for connections: {}", std::strerror(errno));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = wake_;
  epoll_ctl(poll_, EPOLL_CTL_ADD, wake_, &event);
  watcher_ = std::thread([this] { watch(); });
  for (int i = 0; i < limits_.workers; ++i) workers_.emplace_back([this] { work(); });
}

Lobby::~Lobby() {
  stop();
  ::close(poll_);
  ::close(wake_);
}

void Lobby::add(int socket) {
  std::unique_lock lock(mutex_);
  while (!turns_away_ && connections_.size() >= limits_.connections && !make_room())
    room_.wait_for(lock, a_moment);
  if (turns_away_) {
    ::close(socket);
    return;
  }
  // Head and body of an answer are two writes; the second must not wait for the client.
  const int at_once = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
  Connection& connection = connections_[socket];
  connection.waiting.socket = socket;
  connection.since = connection.heard = Clock::now();
  arm(socket, false);
}

void Lobby::turn_away() {
  const std::lock_guard lock(mutex_);
  turns_away_ = true;
  room_.notify_all();
}

// Reports once that there is something to read, then not before it is armed again.
void Lobby::arm(int socket, bool known) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
  event.data.fd = socket;
  epoll_ctl(poll_, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
}

void Lobby::close(int socket) {
  const auto found = connections_.find(socket);
  if (found == connections_.end()) return;
  held_ -= found->second.waiting.bytes.size();
  connections_.erase(found);
  ::close(socket);
  room_.notify_one();
}

bool Lobby::may_go(const Connection& connection) const {
  const auto now = Clock::now();
  if (connection.state == State::answering) return false;
  return now - connection.heard >= limits_.patience || now - connection.since >= limits_.dawdling;
}

// Closes one that says nothing: of those between two requests the one that has been so for longest, else of
// those in the midst of one. What a client has sent may be there before the watcher has come to it. False
// when there is none, yet.
bool Lobby::make_room() {
  const auto rank = [](const Connection& c) { return std::pair(c.state != State::idle, c.since); };
  auto first = connections_.end();
  for (auto at = connections_.begin(); at != connections_.end(); ++at) {
    const Connection& c = at->second;
    if (!may_go(c)) continue;
    if (first != connections_.end() && rank(c) >= rank(first->second)) continue;
    if (has_nothing_to_say(at->first)) first = at;
  }
  if (first == connections_.end()) return false;
  close(first->first);
  return true;
}

bool Lobby::is_late(const Connection& connection) const {
  const auto now = Clock::now();
  const auto waited = now - connection.since;
  switch (connection.state) {
    case State::idle:
      return waited > limits_.idle;
    case State::reading:
      return waited > limits_.request;
    case State::draining:
      return waited > limits_.request || now - connection.heard > goodbye;
    case State::answering:
      break;
  }
  return false;
}

void Lobby::close_late_ones() {
  std::vector<int> late;
  for (const auto& [socket, connection] : connections_)
    if (is_late(connection)) late.push_back(socket);
  for (const int socket : late) close(socket);
}

void Lobby::watch() {
  std::array<epoll_event, 64> events;
  auto looked = Clock::now();
  while (true) {
    const int count = epoll_wait(poll_, events.data(), events.size(), static_cast<int>(glance.count()));
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    for (int i = 0; i < count; ++i) {
      const auto found = connections_.find(events[i].data.fd);
      if (found == connections_.end()) continue;
      if (found->second.state == State::draining)
        drain(found->second);
      else if (found->second.state != State::answering)
        receive(found->second);
    }
    if (Clock::now() - looked < glance) continue;
    close_late_ones();
    looked = Clock::now();
  }
}

void Lobby::receive(Connection& connection) {
  std::array<char, 65536> part;
  const int socket = connection.waiting.socket;
  const ssize_t count = recv(socket, part.data(), part.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return arm(socket, true);
  if (count <= 0 || held_ + static_cast<std::size_t>(count) > limits_.held) return close(socket);
  connection.heard = Clock::now();
  if (connection.state == State::idle) {
    connection.state = State::reading;
    connection.since = connection.heard;
  }
  held_ += static_cast<std::size_t>(count);
  connection.waiting.bytes.append(part.data(), static_cast<std::size_t>(count));
  hand_on_if_complete(connection);
}

void Lobby::hand_on_if_complete(Connection& connection) {
  Waiting& w = connection.waiting;
  const RequestExtent extent = extent_of(w.bytes, limits_.head, limits_.body);
  if (extent.complete) {
    w.size = extent.size;
    connection.state = State::answering;
    complete_.push_back(w.socket);
    ready_.notify_one();
    return;
  }
  if (extent.wants_to_be_asked && w.bytes.size() == extent.head) {
    constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    (void)send(w.socket, go_on.data(), go_on.size(), MSG_NOSIGNAL);
  }
  arm(w.socket, true);
}

void Lobby::work() {
  while (true) {
    Waiting waiting;
    {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [&] { return stopped_ || !complete_.empty(); });
      if (stopped_) return;
      const int socket = complete_.front();
      complete_.pop_front();
      waiting = std::move(connections_.at(socket).waiting);
      connections_.at(socket).waiting = {socket, "", 0};
      held_ -= waiting.bytes.size();
    }
    const bool keep = answer_(waiting);
    const std::lock_guard lock(mutex_);
    Connection& connection = connections_.at(waiting.socket);
    waiting.bytes.erase(0, std::min(waiting.size, waiting.bytes.size()));
    connection.waiting.bytes = std::move(waiting.bytes);
    held_ += connection.waiting.bytes.size();
    finished(waiting.socket, keep && !stopped_);
  }
}

void Lobby::finished(int socket, bool keep) {
  Connection& connection = connections_.at(socket);
  connection.since = connection.heard = Clock::now();
  if (!keep) {
    // Closing at once while the client still sends would take the answer from it: what it has sent and nobody
    // read makes its system forget what it has not read.
    connection.state = State::draining;
    held_ -= connection.waiting.bytes.size();
    connection.waiting.bytes.clear();
    shutdown(socket, SHUT_WR);
    return arm(socket, true);
  }
  connection.state = connection.waiting.bytes.empty() ? State::idle : State::reading;
  hand_on_if_complete(connection);
}

void Lobby::drain(Connection& connection) {
  std::array<char, 65536> part;
  const int socket = connection.waiting.socket;
  const ssize_t count = recv(socket, part.data(), part.size(), 0);
  if (count > 0) connection.heard = Clock::now();
  if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))) return arm(socket, true);
  close(socket);
}

void Lobby::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    stopped_ = turns_away_ = true;
  }
  ready_.notify_all();
  room_.notify_all();
  const std::uint64_t one = 1;
  (void)!write(wake_, &one, sizeof one);
  watcher_.join();
  for (std::thread& worker : workers_) worker.join();
  while (!connections_.empty()) close(connections_.begin()->first);
}

}  // namespace nouq::cli
