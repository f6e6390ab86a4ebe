// Where connections wait until they have sent a whole request, so that none of the threads that answer ever
// waits for a slow, silent or hostile client.
//
// Why: with one thread per connection, as many clients that send one byte a second as there are threads stop
// a server. Here one thread reads from all of them; a request is handed on when it is complete. Contract:
// limits hold for every connection (time and size of a request, idle time) and for all together (their
// number, bytes held). At the limit the one that has been idle longest makes room for a new one, but nobody
// is closed who came, was answered or sent something a moment ago, unless it has been at that for long: the
// new one waits. A client that is refused before its request was read can send the rest of it and then read
// why.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace nouq::cli {

struct ServeLimits {
  std::size_t head = 16U << 10U;   // bytes of a request line and its headers
  std::size_t body = 16U << 20U;   // bytes of a request's body
  std::size_t held = 256U << 20U;  // bytes of all requests that are being read
  std::size_t connections = 1000;
  int workers = 16;                           // threads that answer
  std::chrono::milliseconds request{10'000};  // from its first byte to its last, and for writing the answer
  std::chrono::milliseconds idle{60'000};     // between requests
  // Before a connection makes room for another one: from when it fell silent, and from when it began to send.
  std::chrono::milliseconds patience{500}, dawdling{2'000};
};

// A connection with one whole request: the first `size` bytes. Or with the head of one whose body is refused
// without being read.
struct Waiting {
  int socket = -1;
  std::string bytes;
  std::size_t size = 0;
};

class Lobby {
 public:
  // What is done with a request; says whether the connection may send another.
  using Answer = std::function<bool(Waiting&)>;

  Lobby(const ServeLimits& limits, Answer answer);
  ~Lobby();
  Lobby(const Lobby&) = delete;
  Lobby& operator=(const Lobby&) = delete;

  // Takes over the socket, waiting while there is no room. From one thread at a time.
  void add(int socket);
  // From now on add() closes what it is given.
  void turn_away();
  // Answers that have begun are finished; everything else is closed. Once.
  void stop();

 private:
  enum class State { idle, reading, answering, draining };
  struct Connection {
    Waiting waiting;
    State state = State::idle;
    std::chrono::steady_clock::time_point since;  // it is in this state
    std::chrono::steady_clock::time_point heard;  // something came, or went
  };
  using Connections = std::map<int, Connection>;

  void watch();
  void work();
  void receive(Connection& connection);
  void hand_on_if_complete(Connection& connection);
  void finished(int socket, bool keep);
  void drain(Connection& connection);
  void arm(int socket, bool known);
  void close(int socket);
  bool make_room();
  [[nodiscard]] bool may_go(const Connection& connection) const;
  [[nodiscard]] bool is_late(const Connection& connection) const;
  void close_late_ones();

  ServeLimits limits_;
  Answer answer_;
  int poll_ = -1, wake_ = -1;
  std::mutex mutex_;  // for all below
  std::condition_variable ready_, room_;
  Connections connections_;
  std::deque<int> complete_;
  std::size_t held_ = 0;
  bool turns_away_ = false, stopped_ = false;
  std::thread watcher_;
  std::vector<std::thread> workers_;
};

}  // namespace nouq::cli
