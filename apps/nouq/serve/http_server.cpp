#include "serve/http_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <httplib.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "serve/request.h"

namespace nouq::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Reads the request that the lobby has received; writes to the socket, for so long at most.
class RequestStream final : public httplib::Stream {
 public:
  RequestStream(const Waiting& waiting, Clock::time_point deadline)
      : socket_(waiting.socket),
        rest_(std::string_view(waiting.bytes).substr(0, waiting.size)),
        deadline_(deadline) {}

  [[nodiscard]] bool is_readable() const override { return true; }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t count = rest_.copy(to, size);
    rest_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* from, std::size_t size) override {
    while (true) {
      const ssize_t count = send(socket_, from, size, MSG_NOSIGNAL);
      if (count >= 0) return count;
      if (errno != EAGAIN && errno != EINTR) return -1;
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
      pollfd wanted{socket_, POLLOUT, 0};
      if (left <= 0 || poll(&wanted, 1, static_cast<int>(left)) <= 0) return -1;
    }
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  int socket_;
  std::string_view rest_;
  Clock::time_point deadline_;
};

// The library's loop that accepts: a new connection is taken over on the spot.
class AtOnce final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> task) override { task(); }
  void shutdown() override {}
};

void allow_descriptors(std::size_t count) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  limit.rlim_cur = std::min<rlim_t>(count, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::string in_small_letters(std::string name) {
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name;
}

void fill(httplib::Response& response, ServeReply reply) {
  response.status = reply.status;
  response.set_content(std::move(reply.body), reply.type);
}

thread_local bool refused = false;  // the request that this thread answers

httplib::Server::HandlerResponse refuse(httplib::Response& response, int status, const char* type,
                                        const std::string& message) {
  refused = true;
  fill(response, {status, "application/json", error_text(type, message)});
  return httplib::Server::HandlerResponse::Handled;
}

}  // namespace

class HttpServer::Front final : public httplib::Server {
 public:
  Front(ServeService& service, std::vector<std::string> names, const ServeLimits& limits)
      : service_(service), names_(std::move(names)), limits_(limits) {
    for (const char* name : {"localhost", "127.0.0.1", "[::1]"}) names_.emplace_back(name);
    for (std::string& name : names_) name = in_small_letters(name);
    allow_descriptors(limits.connections + 100);
    new_task_queue = [] { return new AtOnce; };
    // The library's own choice lets a second server share the port, and takes half of the first one's
    // clients.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    set_keep_alive_max_count(1'000'000);
    set_keep_alive_timeout(limits.idle.count() / 1000);
    set_default_headers({{"X-Content-Type-Options", "nosniff"},
                         {"Cache-Control", "no-store"},
                         {"Cross-Origin-Resource-Policy", "same-origin"}});
    set_pre_routing_handler([this](const auto& request, auto& response) { return guard(request, response); });
    for (const std::string& path : ServeService::post_paths())
      Post(path, [this](const httplib::Request& request, httplib::Response& response,
                        const httplib::ContentReader& read) {
        std::string body;
        read([&](const char* data, std::size_t size) {
          body.append(data, size);
          return true;
        });
        fill(response, service_.post(request.path, body));
      });
  }

  void start() {
    lobby_ = std::make_unique<Lobby>(limits_, [this](Waiting& w) { return answer(w); });
  }
  void finish() { lobby_->stop(); }
  void stop_taking() {
    lobby_->turn_away();  // the library's loop may be waiting for room there
    stop();
  }
  // The library asks for room for 5 that are not accepted yet.
  void allow_many_at_once() { ::listen(svr_sock_, 512); }

 private:
  bool process_and_close_socket(socket_t socket) override {
    lobby_->add(socket);
    return true;
  }

  bool answer(Waiting& waiting) {
    RequestStream stream(waiting, Clock::now() + limits_.request);
    refused = false;
    bool closed = false;
    const bool good = process_request(stream, false, closed, [](httplib::Request& request) {
      // Answers are neither compressed, which takes longer than computing them, nor cut.
      for (const char* name : {"Accept-Encoding", "Range"}) request.headers.erase(name);
      request.ranges.clear();
    });
    return good && !closed && !refused;
  }

  [[nodiscard]] bool is_own_name(const std::string& given) const {
    const std::string host = in_small_letters(given);
    return std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
      return host == name || (host.starts_with(name + ":") &&
                              host.find_first_not_of("0123456789", name.size() + 1) == std::string::npos);
    });
  }

  // Before a body is read.
  HandlerResponse guard(const httplib::Request& request, httplib::Response& response) {
    const std::string host = request.get_header_value("Host"), origin = request.get_header_value("Origin");
    if (request.get_header_value_count("Host") != 1 || !is_own_name(host))
      return refuse(response, 403, "Forbidden",
                    "the Host of the request is none of this server's names; --host adds one");
    if (request.has_header("Origin") && origin != "http://" + host)
      return refuse(response, 403, "Forbidden", "pages of another origin may not ask this server");
    if (request.method == "GET" || request.method == "HEAD") {
      fill(response, service_.get(request.path));
      refused = response.status != 200 || request.has_header("Content-Length");
      return HandlerResponse::Handled;
    }
    return guard_body(request, response);
  }

  HandlerResponse guard_body(const httplib::Request& request, httplib::Response& response) {
    const auto& paths = ServeService::post_paths();
    if (request.method != "POST") return refuse(response, 405, "MethodNotAllowed", "expected GET or POST");
    if (std::find(paths.begin(), paths.end(), request.path) == paths.end())
      return refuse(response, 404, "NotFound", "there is nothing at this path");
    if (request.has_header("Transfer-Encoding") || !request.has_header("Content-Length"))
      return refuse(response, 411, "LengthRequired", "expected a Content-Length, and no Transfer-Encoding");
    if (request.has_header("Content-Encoding") || request.is_multipart_form_data())
      return refuse(response, 415, "UnsupportedMediaType",
                    "expected JSON as it is: neither compressed nor a form");
    if (request.get_header_value_count("Content-Length") != 1 ||
        request.get_header_value<std::uint64_t>("Content-Length") > limits_.body)
      return refuse(
          response, 413, "PayloadTooLarge",
          fmt::format("the body is too long: expected at most {} bytes; --body of nouq serve sets that",
                      limits_.body));
    return HandlerResponse::Unhandled;
  }

  ServeService& service_;
  std::vector<std::string> names_;
  ServeLimits limits_;
  std::unique_ptr<Lobby> lobby_;
};

HttpServer::HttpServer(ServeService& service, std::vector<std::string> names, const ServeLimits& limits)
    : front_(std::make_unique<Front>(service, std::move(names), limits)) {}

HttpServer::~HttpServer() = default;

int HttpServer::bind(const std::string& address, int port) {
  const int bound =
      port == 0 ? front_->bind_to_any_port(address) : (front_->bind_to_port(address, port) ? port : -1);
  require(bound > 0,
          "--port {}: {} cannot be listened on at {} ({}); give another, or 0 for any that is free", port,
          port == 0 ? "no port" : "it", address, std::strerror(errno));
  front_->allow_many_at_once();
  front_->start();
  return bound;
}

void HttpServer::run() {
  front_->listen_after_bind();
  front_->finish();
}

void HttpServer::stop() { front_->stop_taking(); }

}  // namespace nouq::cli
