#include "kernels/conditioning.h"

#include "kernels/reference.h"
#include "kernels/support.h"

namespace nouq {
namespace {

using test::at;
using test::Draw;
using test::Guarded;

constexpr Index rows = 40;

// Stretches of every kind: one row, consecutive rows, none.
std::vector<Run> random_runs(Draw& draw) {
  std::vector<Run> runs;
  Index point = 0;
  for (Index i = draw.between(0, 12); i > 0; --i) {
    const bool same_row = draw.coin();
    const Index length = same_row ? draw.width() : draw.between(2, rows);
    const Index row = same_row ? draw.between(-1, rows - 1) : draw.between(0, rows - length);
    runs.push_back({point, row, length, same_row});
    point += length;
  }
  return runs;
}

struct Case {
  explicit Case(Draw& draw) : runs(random_runs(draw)) {
    for (const Run& run : runs)
      for (Index j = 0; j < run.length; ++j) row_of.push_back(run.same_row ? run.row : run.row + j);
    const auto points = std::ssize(row_of);
    mean = draw.values<double>(points);
    weight = draw.values<double>(points);
    variance = test::magnitudes(draw.values<double>(points));
  }
  [[nodiscard]] GaussianField field() const { return {mean.data(), variance.data(), weight.data()}; }

  std::vector<Run> runs;
  std::vector<Index> row_of;
  std::vector<double> mean, variance, weight;
};

std::vector<double> products(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] * b[i]);
  return result;
}

TEST(Conditioning, SumsAgreeWithTheirTwin) {
  test::on_every_case([](Draw& draw) {
    const Case c(draw);
    const auto first = draw.values<double>(rows), second = draw.values<double>(rows);
    Guarded<double> sums(first, draw.coin()), spreads(second, draw.coin());
    add_row_sums(c.runs, c.field(), sums.data(), spreads.data());
    auto sum = first, spread = second, sum_scale = test::magnitudes(first),
         spread_scale = test::magnitudes(second);
    const auto squares = products(c.weight, c.weight);
    reference::add_row_sums(c.row_of, c.weight, c.mean, sum);
    reference::add_row_sums(c.row_of, test::magnitudes(c.weight), test::magnitudes(c.mean), sum_scale);
    reference::add_row_sums(c.row_of, squares, c.variance, spread);
    reference::add_row_sums(c.row_of, squares, c.variance, spread_scale);
    test::expect_close(sums, sum, sum_scale);
    test::expect_close(spreads, spread, spread_scale);
  });
}

TEST(Conditioning, UpdateAgreesWithItsTwinAlsoInPlace) {
  test::on_every_case([](Draw& draw) {
    const Case c(draw);
    const auto gain = draw.values<double>(rows), inverse = test::magnitudes(draw.values<double>(rows));
    Guarded<double> mean(c.mean, draw.coin()), variance(c.variance, draw.coin());
    const bool in_place = draw.coin();
    const GaussianField field =
        in_place ? GaussianField{mean.data(), variance.data(), c.weight.data()} : c.field();
    condition_on_rows(c.runs, field, gain.data(), inverse.data(), mean.data(), variance.data());
    auto wanted = c.mean, left = c.variance;
    reference::condition_on_rows(c.row_of, c.weight, gain, inverse, wanted, left);
    // Rounding is that of the two terms of each difference.
    const auto moved = test::magnitudes(products(c.weight, c.variance));
    std::vector<double> scale = test::magnitudes(c.mean), left_scale = c.variance;
    for (std::size_t p = 0; p < c.row_of.size(); ++p) {
      if (c.row_of[p] < 0) continue;
      scale[p] += moved[p] * std::abs(gain[at(c.row_of[p])]);
      left_scale[p] += moved[p] * moved[p] * inverse[at(c.row_of[p])];
    }
    test::expect_close(mean, wanted, scale);
    test::expect_close(variance, left, left_scale);
  });
}

}  // namespace
}  // namespace nouq
