// Turns problems.def into the list of names and the factory.
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
  const char* name;
  std::unique_ptr<Problem> (*make)(const ProblemOptions&);
};

constexpr Entry entries[] = {
#define NOUQ_PROBLEM(name, make) {name, problems::make},
#include "problems/problems.def"
#undef NOUQ_PROBLEM
};

}  // namespace

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<Problem> make_problem(std::string_view name, const ProblemOptions& options) {
  for (const Entry& entry : entries) {
    if (name == entry.name) return entry.make(options);
  }
  fail_unknown_name("problem", name, problem_names());
}

}  // namespace nouq
