// The service on a port, by HTTP/1.1.
//
// Contract: answers only to requests for one of its own names (Host), which a page of somebody else's that
// points its own name at this machine does not have, and to pages it served itself (Origin). No file is ever
// read for a request. What a refused request has still to send is not read; its connection is closed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "serve/lobby.h"
#include "serve/service.h"

namespace nouq::cli {

class HttpServer {
 public:
  // names: what clients may call this server in Host, besides localhost, 127.0.0.1 and [::1].
  HttpServer(ServeService& service, std::vector<std::string> names, const ServeLimits& limits);
  ~HttpServer();

  // Port 0: any that is free. Returns the port; throws when it is taken.
  int bind(const std::string& address, int port);
  void run();  // until stop() is called, from another thread
  void stop();

 private:
  class Front;
  std::unique_ptr<Front> front_;
};

}  // namespace nouq::cli
