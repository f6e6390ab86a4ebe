// What `nouq info` prints of a model: the description of model_info.cpp in a page of text.
#include "info_entries.h"
#include "model_info.h"
#include "uq/method.h"

namespace nouq::cli {
namespace {

std::string network_text(const Json& about) {
  const Json& network = about["network"];
  std::string modes;
  for (const Json& count : network["modes"])
    modes += (modes.empty() ? "" : " x ") + std::to_string(count.get<Index>());
  const auto networks = about["networks"].get<Index>();
  const double dropout = network["dropout"].get<double>();
  return fmt::format("{}width {}, Fourier blocks {}, modes {}, outputs {}, weights {}{}",
                     networks == 1 ? "" : fmt::format("{} networks, each of ", networks),
                     network["width"].get<Index>(), network["blocks"].get<Index>(), modes,
                     network["outputs"].get<Index>(), about["weights"].get<Index>(),
                     dropout > 0 ? fmt::format(", dropout {}", dropout) : "");
}

void print_normalisation(const Output& output, const Json& normalisation) {
  std::string first = "normalised";
  for (const char* side : {"inputs", "outputs"}) {
    if (normalisation[side].is_null()) continue;
    const auto mean = normalisation[side]["mean"].get<std::vector<double>>();
    const auto deviation = normalisation[side]["deviation"].get<std::vector<double>>();
    print_fact(output, first,
               fmt::format("{}: mean {:.4g}, deviation {:.4g}", side, fmt::join(mean, ", "),
                           fmt::join(deviation, ", ")));
    first.clear();
  }
  if (!first.empty()) print_fact(output, first, "no");
}

void print_training(const Output& output, const Json& trainings) {
  std::string first = "training";
  std::size_t number = 0;
  for (const Json& training : trainings) {
    const std::string which = trainings.size() == 1 ? "" : fmt::format("network {}: ", number++);
    print_fact(
        output, first,
        fmt::format("{}{} epochs, best at {}: training loss {:.3g}, validation loss {:.3g} ({:.3g} after the "
                    "first)",
                    which, training["epochs"].get<Index>(), training["best_epoch"].get<Index>(),
                    training["training_loss"].get<double>(), training["validation_loss"].get<double>(),
                    training["first_validation_loss"].get<double>()));
    first.clear();
  }
}

// The settings of each training are a page of JSON: they are left to --json.
Json short_facts(const Json& facts) {
  Json some = Json::object();
  for (const auto& [name, text] : facts.items()) {
    if (!name.starts_with("training.")) some[name] = text;
  }
  return some;
}

}  // namespace

void print_calibration(const Json& calibration, const Output& output) {
  if (calibration.contains("bands")) {
    const Json& bands = calibration["bands"];
    print_fact(output, "bands",
               bands.contains("factor")
                   ? fmt::format("mean +- {:.3g} sigma contain a whole field with probability {}",
                                 bands["factor"].get<double>(), bands["coverage"].get<double>())
                   : fmt::format("at every point the band contains the value with probability {}",
                                 bands["coverage"].get<double>()));
  }
  if (calibration.contains("trust")) {
    const double reference = calibration["trust"]["reference"].get<double>();
    print_fact(output, "trust",
               fmt::format("a relative spread above {:.3g} is doubtful, above {:.3g} out of domain",
                           reference, reference * calibration["trust"]["far"].get<double>()));
  }
}

void print_model(const Json& about, const Output& output) {
  for (const char* part : {"file", "format"}) print_fact(output, part, about[part].get<std::string>());
  const auto method = about["method"].get<std::string>();
  print_fact(output, "method", fmt::format("{}: {}", method, find_method(method).summary()));
  print_fact(output, "network", network_text(about));
  for (const char* part : {"grid", "inputs", "outputs", "parameters", "laws", "bounds"})
    print_entries(output, part, about[part]);
  print_normalisation(output, about["normalisation"]);
  print_calibration(about["calibration"], output);
  print_training(output, about["training"]);
  print_texts(output, "facts", short_facts(about["facts"]));
  print_fact(output, "fingerprint", about["fingerprint"].get<std::string>());
}

}  // namespace nouq::cli
