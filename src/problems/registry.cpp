// Turns problems.def and what is registered from outside into the list of names and the factory.
#include <algorithm>

#include "core/names.h"
#include "problems/problem.h"

namespace nouq {

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

const Entry* find(std::string_view name) {
  const auto found = std::find_if(entries().begin(), entries().end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  return found == entries().end() ? nullptr : &*found;
}

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
