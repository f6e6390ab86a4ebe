#include "ineffective.h"

#include <algorithm>

namespace nouq::cli {
namespace {

struct Effect {
  const char* option;
  std::vector<std::string> methods;
};

const std::vector<Effect>& effects() {
  static const std::vector<Effect> all = {{"count", {"diverse", "ensemble", "dropout"}},
                                          {"diversity", {"diverse"}},
                                          {"strength", {"diverse"}},
                                          {"strengths", {"diverse"}},
                                          {"tolerance", {"diverse"}},
                                          {"bound", {"diverse"}},
                                          {"warmup", {"diverse"}},
                                          {"sampled", {"diverse"}},
                                          {"unlabelled", {"diverse"}},
                                          {"dropout", {"dropout"}},
                                          {"dropouts", {"dropout"}},
                                          {"laplace", {"bayesian"}},
                                          {"count-points", {"bayesian"}},
                                          {"add-noise", {"bayesian"}}};
  return all;
}

}  // namespace

void note_ineffective(const TrainingOptions& options, const FitOptions& fit, const Output& output) {
  const std::string& method = fit.method.name;
  for (const auto& [option, methods] : effects()) {
    const bool effective = std::find(methods.begin(), methods.end(), method) != methods.end();
    if (!effective && options.given.changed.contains(option))
      output.say("note: --{} does nothing for the method {}, only for {}", option, method,
                 fmt::join(methods, ", "));
  }
  if (method != "diverse") return;
  if (options.epochs <= options.warmup)
    output.say("note: the diversity starts after {} epochs (--warmup), so {} epochs train without it",
               options.warmup, options.epochs);
  if (!options.unlabelled.empty() && !needs_unlabelled_inputs(fit.method.diversity.kind))
    output.say("note: --unlabelled does nothing for the diversity {}, only for those of outputs",
               options.diversity);
}

void note_kept_by_model(const TrainingOptions& options, const Output& output) {
  std::vector<std::string> idle;
  for (const char* option : {"method", "count", "dropout", "width", "blocks", "modes", "padding",
                             "padding-fraction", "normalise"}) {
    if (options.given.names.contains(option)) idle.push_back(fmt::format("--{}", option));
  }
  if (!idle.empty())
    output.say("note: {} {} nothing with --from, which keeps the model's method, network and normalisation",
               fmt::join(idle, ", "), idle.size() == 1 ? "does" : "do");
}

}  // namespace nouq::cli
