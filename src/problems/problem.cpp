#include <algorithm>
#include <cmath>

#include <nouq/problem.h>

#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

const std::vector<std::string> names_of_shifts = {"in-domain", "small", "medium", "large"};

void check_axis(const std::string& problem, const AxisDomain& domain, const Axis& axis) {
  const std::string& name = domain.axis.name;
  require(axis.size() > 0, "problem {}: axis {} has no points", problem, name);
  // A coordinate rounded to float32 may lie a little outside.
  const double slack = 1e-6 * (domain.high - domain.low);
  // A solution is defined for any time, so only the beginning of the time axis is a limit.
  const double high = name == "t" ? std::numeric_limits<double>::infinity() : domain.high + slack;
  for (std::size_t i = 0; i < axis.coordinates.size(); ++i) {
    const double at = axis.coordinates[i];
    require(std::isfinite(at) && at >= domain.low - slack && at <= high,
            "problem {}: coordinate {} of axis {} is {}, expected at least {} and at most {}", problem, i,
            name, at, domain.low, high);
    require(i == 0 || at > axis.coordinates[i - 1],
            "problem {}: coordinates of axis {} must increase, but {} follows {}", problem, name, at,
            i == 0 ? at : axis.coordinates[i - 1]);
  }
}

}  // namespace

std::vector<std::string> shift_names() { return names_of_shifts; }

std::string to_string(Shift shift) { return names_of_shifts.at(static_cast<std::size_t>(shift)); }

Shift shift_from_name(std::string_view name) {
  return static_cast<Shift>(index_of_name("shift", name, names_of_shifts));
}

std::optional<std::size_t> Problem::time_axis() const {
  for (std::size_t i = 0; i < description_.domain.size(); ++i) {
    if (description_.domain[i].axis.name == "t") return i;
  }
  return std::nullopt;
}

void Problem::check_parameter(double parameter) const {
  const auto& [name, symbol, admissible] = description_.parameter;
  require(parameter > admissible.low && parameter < admissible.high,
          "problem {}: {} {} = {} is not possible, expected {} < {} < {}", description_.name, name, symbol,
          parameter, admissible.low, symbol, admissible.high);
}

void Problem::check_grid(const Grid& grid) const {
  const auto& domain = description_.domain;
  require(grid.size() == domain.size(), "problem {}: grid has {} axes, expected {}", description_.name,
          grid.size(), domain.size());
  for (std::size_t i = 0; i < grid.size(); ++i) check_axis(description_.name, domain[i], grid[i]);
}

InputMaker Problem::inputs(const Grid& grid) const {
  check_grid(grid);
  return [this, make = make_inputs(grid)](const Draw& draw, std::span<double> input) {
    check_parameter(draw.parameter);
    make(draw, input);
  };
}

InputMaker Problem::make_inputs(const Grid& /*grid*/) const {
  require(description_.input_kind == InputKind::parameter,
          "problem {}: its input is a function, and the problem does not say which", description_.name);
  return [](const Draw& draw, std::span<double> input) {
    std::fill(input.begin(), input.end(), draw.parameter);
  };
}

Solver Problem::solver(const Grid& grid) const {
  check_grid(grid);
  return make_solver(grid);
}

std::vector<double> Problem::mass(double /*parameter*/, std::span<const double> /*times*/) const {
  return {};
}

Bounds Problem::bounds(double /*parameter*/, double /*t*/) const { return {}; }

std::optional<double> Problem::boundary_value(double /*parameter*/, Side /*side*/, double /*t*/) const {
  return std::nullopt;
}

// Turns problems.def and what is registered from outside into the list of names and the factory.

namespace problems {
#define NOUQ_PROBLEM(name, make) std::unique_ptr<Problem> make(const ProblemOptions& options);
#include "problems/problems.def"
#undef NOUQ_PROBLEM
}  // namespace problems

namespace {

struct Entry {
  std::string name;
  ProblemMaker make;
};

std::vector<Entry>& entries() {
  static std::vector<Entry> all = {
#define NOUQ_PROBLEM(name, make) {name, problems::make},
#include "problems/problems.def"
#undef NOUQ_PROBLEM
  };
  return all;
}

const Entry* find(std::string_view name) { return find_named(entries(), name); }

// A maker from outside need not look at the names it is given.
void require_declared(const Problem& problem, const ProblemOptions& given) {
  std::vector<std::string> declared;
  for (const ProblemOption& option : problem.description().options) declared.push_back(option.name);
  for (const auto& [name, value] : given) {
    require(!declared.empty(), "problem {} has no option '{}': it takes none", problem.name(), name);
    if (std::find(declared.begin(), declared.end(), name) == declared.end())
      fail_unknown_name("option of problem " + problem.name(), name, declared);
  }
}

}  // namespace

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.name);
  return names;
}

std::unique_ptr<Problem> make_problem(std::string_view name, const ProblemOptions& options) {
  const Entry* entry = find(name);
  if (entry == nullptr) fail_unknown_name("problem", name, problem_names());
  return entry->make(options);
}

void register_problem(const std::string& name, ProblemMaker make) {
  require(!name.empty() && make != nullptr, "a problem needs a name and a maker");
  require(find(name) == nullptr, "problem '{}' is there already: choose another name", name);
  entries().push_back({name, [name, make = std::move(make)](const ProblemOptions& options) {
                         auto problem = make(options);
                         require(problem != nullptr, "the maker of problem '{}' made none", name);
                         require(problem->name() == name,
                                 "problem '{}' calls itself '{}': expected the same name", name,
                                 problem->name());
                         require_declared(*problem, options);
                         return problem;
                       }});
}

}  // namespace nouq
