// A solver that asks the surrogate first, and steps through time itself where it should not be trusted.
//
// A rod is heated to sin x again and again while it ages: its diffusivity grows from pulse to pulse. For each
// pulse the temperatures over time are wanted. The surrogate was trained for k from 1 to 5; the solver does
// not know that, it looks at the verdict.
//
// Sample run:  ./05_time_stepping heat.nouq
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include <nouq/model.h>
#include <nouq/project.h>

namespace {

using Field = std::vector<double>;  // [x][t]

// Explicit Euler in time, second differences in space, between the given times.
Field solve(double k, const std::vector<double>& x, const std::vector<double>& times) {
  const double h = x[1] - x[0];
  std::vector<double> u(x.size()), next(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) u[i] = std::sin(x[i]);
  Field result(x.size() * times.size());
  double now = 0;
  for (std::size_t j = 0; j < times.size(); ++j) {
    const auto steps = static_cast<int>(std::ceil((times[j] - now) * k / (0.4 * h * h)));
    const double step = steps > 0 ? (times[j] - now) / steps : 0.0;
    for (int s = 0; s < steps; ++s) {
      for (std::size_t i = 1; i + 1 < x.size(); ++i)
        next[i] = u[i] + step * k * (u[i - 1] - 2 * u[i] + u[i + 1]) / (h * h);
      std::swap(u, next);
    }
    now = times[j];
    for (std::size_t i = 0; i < x.size(); ++i) result[i * times.size() + j] = u[i];
  }
  return result;
}

double largest_error(const Field& u, double k, const std::vector<double>& x, const std::vector<double>& t) {
  double largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    largest = std::max(largest, std::fabs(u[i] - std::exp(-k * t[i % t.size()]) * std::sin(x[i / t.size()])));
  return largest;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: 05_time_stepping MODEL\n");
    return 2;
  }
  const nouq::Model model = nouq::Model::load(arguments[1]);
  const auto axes = model.info().axes;
  const std::vector<double>&x = axes[0].coordinates, &t = axes[1].coordinates;
  const nouq::Layout field = {static_cast<std::int64_t>(x.size()), static_cast<std::int64_t>(t.size())};
  const std::vector<double> heat(t.size(), 0.0);
  const auto law =
      nouq::Constraints::integral(model, axes[0].name, nouq::Input(heat.data(), {field.extent[1]}));

  Field input(x.size() * t.size()), mean(input.size()), deviation(input.size());
  double score = 0;
  std::int32_t verdict = 0;
  nouq::Outputs outputs{{mean.data(), field}, {deviation.data(), field}, {}, &score, &verdict};
  std::printf("%6s %8s %-10s %s\n", "k", "score", "by", "largest error");
  for (double k = 1.5; k < 50; k *= 1.6) {
    std::fill(input.begin(), input.end(), k);
    model.predict(nouq::Input(input.data(), field), outputs);
    const bool trusted = verdict != static_cast<std::int32_t>(nouq::Verdict::out_of_domain);
    if (trusted) {
      nouq::project(law, {{mean.data(), field}, {deviation.data(), field}, {}},
                    {{mean.data(), field}, {}, {}});
    } else {
      mean = solve(k, x, t);
      outputs.mean = {mean.data(), field};
    }
    std::printf("%6.2f %8.2f %-10s %.1e\n", k, score, trusted ? "surrogate" : "solver",
                largest_error(mean, k, x, t));
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
