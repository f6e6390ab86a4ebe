// Load a surrogate, ask it one question, print the answer with its uncertainty.
//
// The model is one of the heat equation u_t = k u_xx on [0, 2 pi], u(x, 0) = sin x: its input is the
// diffusivity k as a constant field, its output u(x, t).
//
// Sample run:  ./03_predict heat.nouq 2.5
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include <nouq/model.h>

int main(int count, char** arguments) try {
  if (count != 3) {
    std::fprintf(stderr, "usage: 03_predict MODEL K\n");
    return 2;
  }
  const nouq::Model model = nouq::Model::load(arguments[1]);
  const double k = std::atof(arguments[2]);
  const nouq::ModelInfo info = model.info();
  const std::vector<double>&x = info.axes[0].coordinates, &t = info.axes[1].coordinates;

  // One number serves as a whole field: its strides are zero.
  const std::vector<std::int64_t> extents = {static_cast<std::int64_t>(x.size()),
                                             static_cast<std::int64_t>(t.size())};
  const std::vector<std::int64_t> strides = {0, 0};
  const nouq::Answer answer = model.predict(nouq::Input(&k, nouq::Layout(extents, strides)));

  std::printf("%s model, k = %g, at x = %.2f\n", info.method.c_str(), k, x[25]);
  std::printf("%8s %10s %10s %10s\n", "t", "mean", "2 sigma", "exact");
  for (std::size_t j = 0; j < t.size(); j += 4) {
    const std::size_t at = 25 * t.size() + j;
    std::printf("%8.3f %10.4f %10.4f %10.4f\n", t[j], answer.mean[at], 2 * answer.deviation[at],
                std::exp(-k * t[j]) * std::sin(x[25]));
  }
  if (!answer.trust.empty()) std::printf("trust score %.2f (up to 1 is in domain)\n", answer.trust[0].score);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
