// Time to generate 400 samples of every built-in problem on its default grid, with all threads.
#include <chrono>
#include <cstdio>

#include "core/threads.h"
#include "problems/sampler.h"

int main() {
  using namespace nouq;
  std::printf("400 samples on the default grid, %d threads\n%-14s %10s\n", available_threads(), "problem",
              "seconds");
  for (const std::string& name : problem_names()) {
    const auto begin = std::chrono::steady_clock::now();
    const auto problem = make_problem(name);
    SampleRequest request;
    request.range = problem->range(Shift::in_domain);
    (void)generate_samples(*problem, request);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%-14s %10.3f\n", name.c_str(), seconds.count());
  }
  return 0;
}
