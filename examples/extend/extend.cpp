// A PDE, a kind of constraint and a metric of one's own: registered, then used by name like those of nouq.
//
// Sample run:  ./extend 60
//   burgers: relative error 3.1e-02, front off by 0.4 points
//   first moment off by 4.1e-03 before the projection, 1.2e-15 after
//
// 1. register: one call per thing, before use
// 2. data of the new problem
// 3. train and evaluate: the new metric is one of the list
// 4. project a prediction onto the new constraint, written as in a constraint file
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include <nouq/nouq.hpp>

#include "extensions.h"

namespace {

// sum over x of x u h, at every time.
std::vector<double> moments(const double* u, const nouq::Grid& grid) {
  const auto& x = grid[0].coordinates;
  std::vector<double> sums(grid[1].coordinates.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += (x[1] - x[0]) * x[i] * u[i * sums.size() + j];
  }
  return sums;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

}  // namespace

int main(int count, char** arguments) try {
  // 1.
  add_burgers();
  add_first_moment();
  add_front_error();

  // 2.
  const nouq::DataSet data = nouq::generate("burgers", {.samples = 100, .seed = 1});
  const nouq::DataSet test = nouq::generate("burgers", {.samples = 20, .seed = 2});

  // 3.
  nouq::TrainSettings settings{.method = "diverse", .epochs = count > 1 ? std::atoi(arguments[1]) : 60};
  settings.options = {{"count", 6}, {"width", 12}, {"modes", 8}};
  const nouq::Model model = nouq::train(data, settings);
  const nouq::Evaluation report = nouq::evaluate(model, test);
  std::printf("burgers: relative error %.1e, front off by %.1f points\n", report.metric("relative_l2"),
              report.metric("front_error"));

  // 4. The truth's first moment stands for a law that would be known.
  nouq::Answer answer =
      model.predict(nouq::Input(test.inputs.data(), {1, test.grid[0].size(), test.grid[1].size(), 1}));
  const std::vector<double> truth(test.outputs.begin(), test.outputs.begin() + test.outputs.row(0).size());
  const std::vector<double> known = moments(truth.data(), test.grid);
  const double before = largest_difference(moments(answer.mean.data(), test.grid), known);
  const auto law = nouq::Constraints::from_toml(
      nouq::fields_of(model), "[[constraint]]\nkind = 'first_moment'\naxis = 'x'\nvalue = 'moment'\n",
      {{"moment", nouq::Input(known.data(), {1, test.grid[1].size()})}});
  const nouq::Layout field(answer.shape, nouq::Order::row_major);
  nouq::project(law, {{answer.mean.data(), field}, {answer.deviation.data(), field}, {}},
                {{answer.mean.data(), field}, {answer.deviation.data(), field}, {}});
  const double after = largest_difference(moments(answer.mean.data(), test.grid), known);
  std::printf("first moment off by %.1e before the projection, %.1e after\n", before, after);
  return after < 1e-9 && after < before ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
