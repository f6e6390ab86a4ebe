// Time to project 1000 fields of 100 x 20 onto 20 integrals, beside the same in numpy with explicit matrices.
//
// usage: nouq_bench_project [--fields N] [--rounds N] [--only WORDS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <nouq/random.h>

#include "conserve/bounded_projection.h"
#include "conserve/constraint_kinds.h"
#include "conserve/projection.h"
#include "peer.h"

namespace nouq::bench {
namespace {

constexpr Index nx = 100, nt = 20, members = 10;

// Made-up predictions: a smooth front, ten samples scattered about it, and masses a little off.
struct Case {
  explicit Case(Index fields)
      : mean({fields, nx, nt, 1}),
        variance(mean.shape()),
        samples({fields, members, nx, nt, 1}),
        out_mean(mean.shape()),
        out_variance(mean.shape()),
        mass({fields, nt}) {
    layout.grid = {{"x", "", linspace(0, 1, nx)}, {"t", "", linspace(0, 1, nt)}};
    for (Index i = 0; i < fields; ++i) fill(i);
  }

  void fill(Index i) {
    const Stream stream(1, Purpose::tests, static_cast<std::uint64_t>(i));
    for (Index p = 0; p < nx * nt; ++p) {
      const double x = static_cast<double>(p / nt) / nx, t = static_cast<double>(p % nt) / nt;
      const double centre = std::max(0.0, t - x), spread = 0.01 + 0.2 * (std::abs(t - x) < 0.1 ? 1 : 0);
      double sum = 0, squares = 0;
      for (Index m = 0; m < members; ++m) {
        const double value =
            centre + spread * (stream.uniform(static_cast<std::uint64_t>(p * members + m)) - 0.4);
        samples[(i * members + m) * nx * nt + p] = value;
        sum += value;
        squares += value * value;
      }
      mean[i * nx * nt + p] = sum / members;
      variance[i * nx * nt + p] = (squares - sum * sum / members) / (members - 1);
    }
    for (Index t = 0; t < nt; ++t) mass[i * nt + t] = 0.5 * static_cast<double>(t * t) / (nt * nt);
  }

  [[nodiscard]] PredictionView prediction() const { return {mean.view(), variance.view(), samples.view()}; }
  [[nodiscard]] ProjectedView projected() { return {out_mean.view(), out_variance.view(), {}}; }

  FieldLayout layout;
  Array<double> mean, variance, samples, out_mean, out_variance, mass;
};

// Of processor time, which other programs on the machine disturb less than they do a clock on the wall.
double milliseconds(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Row {
  std::string name;
  std::function<void()> work;
  std::string request;  // to the peer
};

void measure(const Row& row, Peer& peer, Index fields, int rounds) {
  std::vector<double> ours, theirs;
  for (int i = 0; i < rounds; ++i) {
    // The peer has had the caches since, and one call does not win them back: the first few get faster.
    for (int warming = 0; warming < 6; ++warming) row.work();
    ours.push_back(milliseconds(row.work));
    if (row.request.empty()) continue;
    if (const auto time = peer.measure(row.request + " " + std::to_string(fields))) theirs.push_back(*time);
  }
  std::printf("%-34s %9.2f %9.2f", row.name.c_str(), *std::min_element(ours.begin(), ours.end()),
              median(ours));
  if (!theirs.empty()) std::printf(" %10.1f %8.0fx", median(theirs), median(theirs) / median(ours));
  std::printf("\n");
  std::fflush(stdout);
}

Inequalities unit_bounds(Index points) {
  Inequalities bounds;
  bounds.lower = Array<double>({1, points}, 0.0);
  bounds.upper = Array<double>({1, points}, 1.0);
  return bounds;
}

// Only rows whose name begins with `only`.
void run(Index fields, int rounds, const std::string& only) {
  Case one(fields);
  Peer peer(NOUQ_BENCH_PROJECT_PEER);
  LinearConstraints integrals = integral_constraints(one.layout, {"x"}, Quadrature::trapezoid, one.mass);
  LinearConstraints noisy = integrals;
  noisy.set_noise_variance(1e-6);
  const Index points = one.layout.points();
  Projector diagonal(integrals, one.layout, {Covariance::diagonal(), 1});
  Projector low_rank(integrals, one.layout, {Covariance::low_rank("t"), 1});
  Projector mixed(integrals, one.layout, {Covariance::low_rank_plus_diagonal(0.1, ""), 1});
  BoundedOptions options;
  options.threads = 1;
  options.variance_update = VarianceUpdate::displaced;
  BoundedProjector displaced(noisy, unit_bounds(points), one.layout, options);
  options.variance_update = VarianceUpdate::gaussian;
  BoundedProjector bounded(noisy, unit_bounds(points), one.layout, options);
  options.variance_update = VarianceUpdate::truncated;
  BoundedProjector truncated(noisy, unit_bounds(points), one.layout, options);
  options.variance_update = VarianceUpdate::samples;
  BoundedProjector sampled(noisy, unit_bounds(points), one.layout, options);
  std::printf(
      "%ld fields of %ld x %ld, %ld integrals, one thread; ms of processor time\n%-34s %9s %9s %10s %9s\n",
      fields, nx, nt, nt, "", "best", "median", "numpy", "faster");
  const auto with = [&](auto& projector) {
    return [&] { projector.project(one.prediction(), one.projected()); };
  };
  for (const Row& row : {Row{"diagonal", with(diagonal), "diagonal"},
                         Row{"low rank, per time, 10 samples", with(low_rank), "low-rank"},
                         Row{"low rank + diagonal, joint", with(mixed), ""},
                         Row{"bounded, displaced variance", with(displaced), "bounded"},
                         Row{"bounded, Gaussian variance", with(bounded), "bounded"},
                         Row{"bounded, truncated variance", with(truncated), ""},
                         Row{"bounded, projected samples", with(sampled), ""}}) {
    if (row.name.starts_with(only)) measure(row, peer, fields, rounds);
  }
}

}  // namespace
}  // namespace nouq::bench

int main(int argc, char** argv) {
  nouq::Index fields = 1000;
  int rounds = 7;
  std::string only;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string word = argv[i];
    if (word == "--fields") fields = std::max(1, std::atoi(argv[i + 1]));
    if (word == "--only") only = argv[i + 1];
    if (word == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
  }
  try {
    nouq::bench::run(fields, rounds, only);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nouq_bench_project: %s\n", error.what());
    return 1;
  }
  return 0;
}
