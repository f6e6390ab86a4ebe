// Project an answer onto a conservation law: the heat in the rod, which here stays zero.
//
// Sample run:  ./04_conservation heat.nouq 4.2
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include <nouq/model.h>
#include <nouq/project.h>

namespace {

// The largest |integral of u over x|, over all times; the trapezoid rule.
double largest_heat(const std::vector<double>& u, const std::vector<double>& x, std::size_t times) {
  double largest = 0;
  for (std::size_t j = 0; j < times; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
      sum += 0.5 * (x[i + 1] - x[i]) * (u[i * times + j] + u[(i + 1) * times + j]);
    largest = std::fmax(largest, std::fabs(sum));
  }
  return largest;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 3) {
    std::fprintf(stderr, "usage: 04_conservation MODEL K\n");
    return 2;
  }
  const nouq::Model model = nouq::Model::load(arguments[1]);
  const auto axes = model.info().axes;
  const auto nx = static_cast<std::int64_t>(axes[0].coordinates.size());
  const auto nt = static_cast<std::int64_t>(axes[1].coordinates.size());
  const std::vector<double> k(static_cast<std::size_t>(nx * nt), std::atof(arguments[2]));
  nouq::Answer answer = model.predict(nouq::Input(k.data(), {nx, nt}));
  const double before = largest_heat(answer.mean, axes[0].coordinates, static_cast<std::size_t>(nt));

  const std::vector<double> heat(static_cast<std::size_t>(nt), 0.0);
  const auto law = nouq::Constraints::integral(model, axes[0].name, nouq::Input(heat.data(), {nt}));
  const nouq::Layout field = {nx, nt};
  nouq::project(law, {{answer.mean.data(), field}, {answer.deviation.data(), field}, {}},
                {{answer.mean.data(), field}, {answer.deviation.data(), field}, {}});
  const double after = largest_heat(answer.mean, axes[0].coordinates, static_cast<std::size_t>(nt));
  std::printf("heat that must be zero: %.1e before the projection, %.1e after\n", before, after);
  return after < 1e-9 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
