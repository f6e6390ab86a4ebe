// nouq serve: models answered over HTTP, for browsers and for other people's tools.
#include <csignal>
#include <set>
#include <thread>

#include "commands.h"
#include "core/error.h"
#include "core/threads.h"
#include "serve/http_server.h"

namespace nouq::cli {
namespace {

struct ServeCommand {
  std::vector<std::filesystem::path> models;
  std::filesystem::path data;
  std::string address = "127.0.0.1";
  Index port = 4242;
  std::vector<std::string> hosts;
  Index body = 16;
  Index connections = 1000;
  int threads = 0;
};

OptionTable serve_table(ServeCommand& o) {
  OptionTable table(
      "serve", "answer over HTTP: a page to explore models in a browser, UM-Bridge, and JSON",
      "Loads the models and answers on a port of this machine until Ctrl-C. The address, opened in a browser, shows a "
      "page with a slider for every parameter. Tools of uncertainty quantification ask by the UM-Bridge protocol, "
      "programs by JSON (docs/serve.md). Nobody else's machine, and no web page but its own, is answered unless "
      "--address and --host say so; there is no password.");
  table.add("models", o.models, "the model files").as_positional().as_required().shown_as("MODEL");
  table.add("data", o.data, "a data set whose samples can be chosen as inputs").shown_as("FILE");
  table.add("port", o.port, "where to listen; 0 for any port that is free").between(0, 65535);
  table.add("address", o.address, "of the network interface to listen on; 0.0.0.0 for all, with --host");
  table.add("host", o.hosts, "a name under which others reach this machine").shown_as("NAME");
  table.group("Limits");
  table.add("body", o.body, "of a request, in MB").between(1, 1024);
  table.add("connections", o.connections, "open at a time").between(10, 100000);
  table.add("threads", o.threads, "answers computed at a time; 0 for all cores").at_least(0);
  table.example("nouq serve pme.nouq", "Open http://127.0.0.1:4242/ in a browser");
  table.example("nouq serve pme.nouq heat.nouq --port 0 --data test.h5",
                "Two models, and samples to choose from");
  return table;
}

std::vector<std::unique_ptr<ServedModel>> load_models(const ServeCommand& o, const DataSet* data) {
  std::vector<std::unique_ptr<ServedModel>> models;
  std::set<std::string> names;
  for (const auto& path : o.models) {
    const std::string stem = path.stem().string();
    std::string name = stem;
    for (int i = 2; !names.insert(name).second; ++i) name = fmt::format("{}-{}", stem, i);
    models.push_back(with_source(path.string(), [&] {
      return std::make_unique<ServedModel>(name, Model::load(path.string()), data);
    }));
  }
  return models;
}

// Until Ctrl-C or SIGTERM, which must be blocked in all threads.
void run_until_asked(HttpServer& server, const sigset_t& signals) {
  std::thread listener([&] { server.run(); });
  int signal = 0;
  sigwait(&signals, &signal);
  server.stop();
  listener.join();
}

void run_serve(const ServeCommand& o, Output& output) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before any thread is made
  std::optional<DataSet> data;
  if (!o.data.empty()) data = read(o.data.string());
  ServeService service(load_models(o, data ? &*data : nullptr), resolve_threads(o.threads));
  ServeLimits limits;
  limits.body = static_cast<std::size_t>(o.body) << 20U;
  limits.held = std::max(limits.held, 2 * limits.body);
  limits.connections = static_cast<std::size_t>(o.connections);
  HttpServer server(service, o.hosts, limits);
  const int port = server.bind(o.address, static_cast<int>(o.port));
  const std::string url = fmt::format("http://{}:{}/", o.address, port);
  output.print("{}\n", url);
  output.result({{"url", url}, {"port", port}});
  output.say(
      "answering until Ctrl-C; one who opens the address in a browser sees the models, and UM-Bridge clients ask there");
  run_until_asked(server, signals);
  output.say("stopped");
}

}  // namespace

Command serve_command() { return make_command(serve_table, run_serve); }

}  // namespace nouq::cli
