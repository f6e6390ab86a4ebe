// nouq serve: models answered over HTTP, for browsers and for other people's tools.
#include <algorithm>
#include <csignal>
#include <set>
#include <thread>

#include "commands.h"
#include "core/error.h"
#include "core/threads.h"
#include "serve/http_server.h"

namespace nouq::cli {
namespace {

using Models = std::vector<std::unique_ptr<ServedModel>>;

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
  table.add("host", o.hosts, "a name or number by which others call this machine").shown_as("NAME");
  table.group("Limits");
  table.add("body", o.body, "of a request, in MB").between(1, 1024);
  table.add("connections", o.connections, "open at a time").between(10, 100000);
  table.add("threads", o.threads, "answers computed at a time; 0 for all cores").at_least(0);
  table.example("nouq serve pme.nouq", "Open http://127.0.0.1:4242/ in a browser");
  table.example("nouq serve pme.nouq heat.nouq --port 0 --data test.h5",
                "Two models, and samples to choose from");
  return table;
}

Models load_models(const ServeCommand& o, const DataSet* data) {
  Models models;
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

bool is_every_address(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

// As it stands in the addresses of pages; of all interfaces the one that this machine has in any case.
std::string name_in_url(const std::string& address) {
  if (is_every_address(address)) return "127.0.0.1";
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

void say_who_can_ask(const ServeCommand& o, const Output& output) {
  output.say("answering until Ctrl-C; a browser shows the models there, and UM-Bridge clients ask there");
  if (is_every_address(o.address) && o.hosts.empty())
    output.say(
        "note: other machines reach this one but are refused: give the name or number by which they call it "
        "with --host");
}

// Data that fit none of the models were meant for another.
void check_data(const ServeCommand& o, const Models& models, const Output& output) {
  std::string others;
  for (const auto& model : models)
    if (!model->has_samples()) others += (others.empty() ? "" : ", ") + model->name();
  if (o.data.empty() || others.empty()) return;
  const bool some = std::any_of(models.begin(), models.end(), [](const auto& m) { return m->has_samples(); });
  require(some, "--data {}: its grid and channels are those of none of the models", o.data.string());
  output.say("note: the samples of {} are on another grid, or have other channels, than {}", o.data.string(),
             others);
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
  Models models = load_models(o, data ? &*data : nullptr);
  check_data(o, models, output);
  ServeService service(std::move(models), resolve_threads(o.threads));
  ServeLimits limits;
  limits.body = static_cast<std::size_t>(o.body) << 20U;
  limits.held = std::max(limits.held, 2 * limits.body);
  limits.connections = static_cast<std::size_t>(o.connections);
  std::vector<std::string> names = o.hosts;
  names.push_back(name_in_url(o.address));
  HttpServer server(service, names, limits);
  const int port = server.bind(o.address, static_cast<int>(o.port));
  const std::string url = fmt::format("http://{}:{}/", names.back(), port);
  output.print("{}\n", url);
  output.result({{"url", url}, {"port", port}});
  say_who_can_ask(o, output);
  run_until_asked(server, signals);
  output.say("stopped");
}

}  // namespace

Command serve_command() { return make_command(serve_table, run_serve); }

}  // namespace nouq::cli
