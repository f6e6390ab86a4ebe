// What the server answers, without the network: a path and a text in, a status and a text out.
//
// Why apart from it: tests and the network meet here, and the two protocols know nothing of sockets.
// Contract: may be called from many threads at once; at most `threads` answers are computed at a time, each
// on one core; an answer does not depend on the others. Never throws: refusals are status 400, our own faults
// 500, both with {"error":{"type","message"}}.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve/cores.h"
#include "serve/served_model.h"

namespace nouq::cli {

struct ServeReply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

class ServeService {
 public:
  ServeService(std::vector<std::unique_ptr<ServedModel>> models, int threads);

  [[nodiscard]] ServeReply get(std::string_view path);
  [[nodiscard]] ServeReply post(std::string_view path, std::string_view body);
  // Those that post() knows.
  [[nodiscard]] static const std::vector<std::string>& post_paths();

 private:
  [[nodiscard]] const ServedModel& find(const std::string& name) const;
  [[nodiscard]] const ServedModel& find_for_um_bridge(const Json& request) const;
  [[nodiscard]] std::string info() const;
  [[nodiscard]] std::string model_list() const;
  [[nodiscard]] std::string predict(const Json& request);
  [[nodiscard]] std::string batch(const Json& request);
  [[nodiscard]] ServeAnswer compute(const ServedModel& model, const ServeQuery& query);

  std::vector<std::unique_ptr<ServedModel>> models_;
  Cores cores_;
};

}  // namespace nouq::cli
