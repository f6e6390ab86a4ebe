#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "paper/sweep.h"

namespace nouq::paper {
namespace {

// Settings that a name may have to tell apart, besides the method.
struct Telling {
  std::string key, in_name, in_caption;
};
const std::vector<Telling> telling = {{"/count", "M = {}", "M = {}"},
                                      {"/grid/width", "width {}", "width {}"},
                                      {"/grid/strength", "strength {}", "strength {}"},
                                      {"/grid/rate", "rate {}", "rate {}"},
                                      {"/grid/dropout", "probability {}", "dropout of {}"},
                                      {"/diversity", "{}", "diversity of {}"},
                                      {"/diversity_through", "through the {}", "diversity through the {}"},
                                      {"/sampled", "{} drawn", "{} heads drawn"},
                                      {"/unlabelled", "{} unlabelled", "{} unlabelled inputs"},
                                      {"/loss", "{}", "loss {}"},
                                      {"/period", "period {}", "a period of {} epochs"}};

// Of an option that is named only where it is not at its default (result_settings).
const std::string silent_default = "usual";
bool is_silent_by_default(const std::string& key) {
  return key == "/diversity_through" || key == "/sampled" || key == "/unlabelled" || key == "/loss" ||
         key == "/period";
}

std::string text_at(const ResultJson& settings, const std::string& key) {
  const ResultJson one = single_value(settings, key);
  if (one.is_null() && is_silent_by_default(key)) return silent_default;
  if (one.is_null()) return key == "/diversity" && settings.value("method", "") == "diverse" ? "weights" : "";
  if (one.is_number()) return fmt::format("{:g}", one.get<double>());
  return one.is_string() ? one.get<std::string>() : one.dump();
}

// What the curves have at a place, without those that know no such thing.
std::set<std::string> values_of(const std::vector<Curve>& curves, const std::string& key) {
  std::set<std::string> values;
  for (const Curve& curve : curves) values.insert(text_at(curve.settings, key));
  values.erase("");
  return values;
}

bool is_of_warm_up(const ResultJson* result) {
  const double warm_up = number_at(*result, "/training/diversity/warmup");
  return number_at(*result, "/networks/0/best_epoch") <= warm_up &&
         warm_up < number_at(*result, "/networks/0/epochs");
}

}  // namespace

std::string method_of(const Curve& curve) { return curve.settings.at("method").get<std::string>(); }

std::string diversity_of(const Curve& curve) { return text_at(curve.settings, "/diversity"); }

bool of_several_kinds(const std::vector<Curve>& curves) { return values_of(curves, "/diversity").size() > 1; }

std::string name_of(const Curve& curve, const std::vector<Curve>& curves, const std::string& swept) {
  std::string name = method_of(curve);
  for (const auto& [key, in_name, in_caption] : telling) {
    const std::string own = text_at(curve.settings, key);
    if (key != swept && values_of(curves, key).size() > 1 && !own.empty() && own != silent_default)
      name += ", " + fmt::format(fmt::runtime(in_name), own);
  }
  return name;
}

std::string fixed_words(const std::vector<Curve>& curves, const std::string& swept) {
  std::vector<std::string> fixed;
  for (const auto& [key, in_name, in_caption] : telling) {
    const std::set<std::string> values = values_of(curves, key);
    if (key != swept && values.size() == 1 && *values.begin() != silent_default)
      fixed.push_back(fmt::format(fmt::runtime(in_caption), *values.begin()));
  }
  return fixed.empty() ? "" : fmt::format(" All with {}.", fmt::join(fixed, ", "));
}

std::string lowest_words(const std::vector<Curve>& curves, const Baselines& baselines, const Sweep& sweep,
                         const ShownMetric& metric) {
  std::map<std::string, int> wins;
  int ranges = 0;
  for (const Shift shift : all_shifts) {
    std::map<double, std::string> lowest;  // by value
    const auto enter = [&](const Runs& runs, const std::string& name) {
      const double value = complete_mean(over_seeds(runs, metric_place(shift, metric.name)));
      if (std::isfinite(value)) lowest.emplace(value, name);
    };
    for (const Curve& curve : curves) {
      for (const auto& [x, runs] : curve.at)
        enter(runs, fmt::format("{} at {} = {:g}", name_of(curve, curves, sweep.key), sweep.label, x));
    }
    for (const auto& [method, runs] : baselines) enter(runs, method);
    if (lowest.empty()) continue;
    ++wins[lowest.begin()->second];
    ++ranges;
  }
  std::vector<std::string> words;
  words.reserve(wins.size());
  for (const auto& [place, count] : wins)
    words.push_back(fmt::format("{} in {} of {} ranges", place, count, ranges));
  return words.empty() ? "" : fmt::format(" Lowest {}: {}.", metric.label, fmt::join(words, "; "));
}

std::string warm_up_words(const std::vector<Curve>& curves, const Sweep& sweep) {
  std::vector<std::string> words;
  for (const Curve& curve : curves) {
    std::vector<std::string> values;
    for (const auto& [x, runs] : curve.at) {
      if (std::any_of(runs.begin(), runs.end(), is_of_warm_up)) values.push_back(fmt::format("{:g}", x));
    }
    if (!values.empty())
      words.push_back(fmt::format("{} at {} = {}", name_of(curve, curves, sweep.key), sweep.label,
                                  fmt::join(values, ", ")));
  }
  if (words.empty()) return "";
  return fmt::format(
      " The diversity term spoilt the network as soon as it set in, and the weights that were kept are older: "
      "{}.",
      fmt::join(words, "; "));
}

}  // namespace nouq::paper
