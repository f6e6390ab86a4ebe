// The metrics of the code published with the paper, computed there in double.
#include <string>

#include <gtest/gtest.h>
#include <nouq/grid.h>

#include "conserve/quadrature.h"
#include "metrics/inputs.h"
#include "metrics/metric.h"
#include "support/npy.h"

namespace nouq {
namespace {

Array<double> golden(const std::string& name) { return test::read_npy("d_metrics/" + name + ".npy"); }

class GoldenMetrics : public testing::Test {
 protected:
  GoldenMetrics() : arrays_{golden("mu"), golden("var"), golden("y"), {}, golden("mass_rhs")} {
    arrays_.weights = trapezoid_weights(linspace(0, 1, 100));
  }
  // Element 1 of the golden pair is the one computed in double.
  void expect_value(const std::string& metric, const std::string& file, double tolerance) const {
    EXPECT_NEAR(evaluate_metric(metric, arrays_.input()).value, golden(file)[1], tolerance) << metric;
  }
  void expect_per_sample(const std::string& metric, const std::string& file, double scale) const {
    const auto result = evaluate_metric(metric, arrays_.input());
    const auto expected = golden(file);
    ASSERT_EQ(std::ssize(result.per_sample), expected.size());
    for (Index i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(result.per_sample[i], expected[i], 1e-10 * scale) << metric;
    }
  }
  test::Arrays arrays_;
};

TEST_F(GoldenMetrics, ValuesAgree) {
  expect_value("mse", "mse", 1e-10);
  expect_value("nll", "nll", 1e-10 * 1929);
  expect_value("interval_width", "piw", 1e-10);
  expect_value("crps", "crps", 1e-10);
  expect_value("nmerci", "nMeRCI_all", 1e-10);
  expect_value("conservation_error", "mcerr", 1e-10);
  expect_value("rmsce", "rmsce_all", 1e-6);  // single precision in the reference
}

TEST_F(GoldenMetrics, ValuesPerSampleAgree) {
  expect_per_sample("mse", "mse_by_example", 1);
  expect_per_sample("nll", "nll_by_example", 1000);
  expect_per_sample("interval_width", "piw_by_example", 1);
  expect_per_sample("crps", "crps_by_example", 1);
  expect_per_sample("conservation_error", "cerr_by_example", 1);
}

TEST_F(GoldenMetrics, CalibrationCurveAgrees) {
  const auto shares = metrics::quantile_coverage(arrays_.input());
  const auto expected = golden("coverage_per_p");
  ASSERT_EQ(shares.size(), 11U);
  for (Index k = 0; k < 11; ++k) EXPECT_NEAR(shares[k], expected[k], 1e-10);
}

}  // namespace
}  // namespace nouq
