// What the metrics refuse, and that the message names the array and the sample.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "conserve/quadrature.h"
#include "core/error.h"
#include "metrics/inputs.h"
#include "metrics/metric.h"

namespace nouq {
namespace {

using test::Arrays;

// A case every metric accepts.
Arrays complete_case() {
  Arrays arrays = {Array<double>({2, 3, 2, 1}),
                   Array<double>({2, 3, 2, 1}, 1.0),
                   Array<double>({2, 3, 2, 1}, 1.0),
                   {},
                   Array<double>({2, 2})};
  for (Index i = 0; i < 12; ++i) arrays.mean[i] = 0.3 * static_cast<double>(i * i);
  const std::vector<double> x = {0, 1, 2};
  arrays.weights = trapezoid_weights(x);
  return arrays;
}

std::string message(const MetricInfo& metric, const Arrays& arrays) {
  try {
    (void)metric.function(arrays.input());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_message(const MetricInfo& metric, const Arrays& arrays, const std::string& part) {
  const std::string text = message(metric, arrays);
  EXPECT_NE(text.find(part), std::string::npos) << metric.name << " said: " << text;
  EXPECT_NE(text.find(metric.name), std::string::npos) << text;
}

TEST(MetricInputs, CompleteCaseIsAcceptedByAll) {
  for (const MetricInfo& metric : all_metrics()) {
    EXPECT_EQ(message(metric, complete_case()), "") << metric.name;
    const Arrays arrays = complete_case();
    const auto result = evaluate_metric(metric.name, arrays.input());
    EXPECT_TRUE(std::isfinite(result.value)) << metric.name;
    EXPECT_EQ(result.per_sample.size(), 2U) << metric.name;
  }
}

TEST(MetricInputs, EmptyIsRefused) {
  for (const MetricInfo& metric : all_metrics()) {
    expect_message(metric, Arrays{}, "mean has shape []");
    Arrays arrays = complete_case();
    arrays.mean = Array<double>({0, 3, 2, 1});
    expect_message(metric, arrays, "at least one sample");
  }
}

TEST(MetricInputs, NotANumberIsRefused) {
  for (const MetricInfo& metric : all_metrics()) {
    Arrays arrays = complete_case();
    arrays.mean[7] = NAN;
    expect_message(metric, arrays, "mean is nan at sample 1, element 1");
    arrays = complete_case();
    arrays.truth[2] = INFINITY;
    expect_message(metric, arrays, "truth is inf at sample 0, element 2");
    if (metric.uses_variance) {
      arrays = complete_case();
      arrays.variance[11] = NAN;
      expect_message(metric, arrays, "variance is nan at sample 1, element 5");
    }
    if (metric.uses_mass) {
      arrays = complete_case();
      arrays.rhs[3] = NAN;
      expect_message(metric, arrays, "mass right-hand side is nan at sample 1, element 1");
    }
  }
}

TEST(MetricInputs, NegativeVarianceIsRefused) {
  for (const MetricInfo& metric : all_metrics()) {
    Arrays arrays = complete_case();
    arrays.variance[6] = -1e-9;
    if (metric.uses_variance) {
      expect_message(metric, arrays, "variance is -1e-09 at sample 1, element 0");
    } else {
      EXPECT_EQ(message(metric, arrays), "");
    }
  }
}

TEST(MetricInputs, OtherShapesAreRefused) {
  for (const MetricInfo& metric : all_metrics()) {
    Arrays arrays = complete_case();
    arrays.truth = Array<double>({2, 2, 3, 1}, 1.0);
    expect_message(metric, arrays, "truth has shape [2, 2, 3, 1], expected that of mean, [2, 3, 2, 1]");
    if (metric.uses_variance) {
      arrays = complete_case();
      arrays.variance = {};
      expect_message(metric, arrays, "variance has shape []");
    }
    if (metric.uses_mass) {
      arrays = complete_case();
      arrays.rhs = Array<double>({2, 3});
      expect_message(metric, arrays, "mass right-hand side has shape [2, 3]");
      arrays = complete_case();
      arrays.weights.pop_back();
      expect_message(metric, arrays, "2 mass weights for 3 points");
    }
  }
}

TEST(MetricRegistry, KnowsItsNames) {
  EXPECT_EQ(all_metrics().size(), 11U);
  EXPECT_EQ(find_metric("crps").name, "crps");
  try {
    (void)find_metric("nmercy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'nmerci'?"), std::string::npos);
  }
}

}  // namespace
}  // namespace nouq
