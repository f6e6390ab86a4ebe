#include "problems/description.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/parse.h"

namespace nouq::problems {
namespace {

// More points than this along one axis are a typing error.
constexpr Index most_points = 1'000'000;

}  // namespace

OptionReader::OptionReader(std::string problem, std::vector<ProblemOption> declared, ProblemOptions given)
    : problem_(std::move(problem)), declared_(std::move(declared)), given_(std::move(given)) {
  std::vector<std::string> names;
  for (const ProblemOption& option : declared_) names.push_back(option.name);
  for (const auto& [name, value] : given_) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fail_unknown_name("option of problem " + problem_, name, names);
    }
  }
}

const std::string& OptionReader::text(const std::string& name) const {
  const auto found = given_.find(name);
  if (found != given_.end()) return found->second;
  const auto option = std::find_if(declared_.begin(), declared_.end(),
                                   [&](const ProblemOption& one) { return one.name == name; });
  require(option != declared_.end(), "problem {} does not declare its option {}", problem_, name);
  return option->default_value;
}

double OptionReader::positive(const std::string& name) const {
  double value = 0;
  require(parse_number(text(name), value) && std::isfinite(value) && value > 0,
          "problem {}: option {} = '{}', expected a number above zero", problem_, name, text(name));
  return value;
}

Index OptionReader::count(const std::string& name, Index least) const {
  Index value = 0;
  require(parse_number(text(name), value) && value >= least && value <= most_points,
          "problem {}: option {} = '{}', expected a whole number from {} to {}", problem_, name, text(name),
          least, most_points);
  return value;
}

std::string OptionReader::choice(const std::string& name, const std::vector<std::string>& valid) const {
  const std::string& value = text(name);
  if (std::find(valid.begin(), valid.end(), value) == valid.end()) {
    fail_unknown_name("value of option " + name + " of problem " + problem_, value, valid);
  }
  return value;
}

}  // namespace nouq::problems
