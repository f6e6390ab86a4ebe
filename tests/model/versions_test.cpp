// Files of every released format version keep loading, and predict what they predicted. A file in
// tests/model/data is written once, when its version is released, and never again.
#include <gtest/gtest.h>

#include "model/model_file.h"
#include "model/tiny_surrogate.h"
#include "support/paths.h"
#include "uq/predictor.h"
#include "uq/trust.h"

namespace nouq {
namespace {

// Relative, because instruction sets may differ in the last bits of float32.
void expect_near(const Array<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), std::ssize(expected));
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-5 * expected[i]) << "point " << i;
}

TEST(ModelVersions, One) {
  const std::string path = test::source_dir() + "/tests/model/data/bayesian-1.nouq";
  const Surrogate model = load_model(path);
  EXPECT_TRUE(model == test::tiny_surrogate("bayesian"));
  const Prediction prediction = predict(model, test::tiny_inputs(1).view());
  expect_near(prediction.mean,
              {0.530235702, 0.525486177, 0.527996206, 0.514009571, 0.521962878, 0.51968725, 0.507478359,
               0.515693814, 0.519478822, 0.500909555, 0.510314393, 0.511989832});
  expect_near(prediction.variance,
              {0.232114216, 0.226917915, 0.229380566, 0.216084169, 0.227153256, 0.220084454, 0.208711205,
               0.220096788, 0.2230659, 0.202343706, 0.211243929, 0.214643546});
  EXPECT_EQ(model_fingerprint(path), "bfb1702af71d4a3d");
}

// With trust as it was before it had witnesses: the relative spread alone.
TEST(ModelVersions, TwoKeepsItsTrust) {
  const Surrogate model = load_model(test::source_dir() + "/tests/model/data/diverse-2.nouq");
  EXPECT_EQ(model.state.count("trust.held_out"), 0U);
  const Prediction p = predict(model, Array<float>({1, 12, 5, 1}, 6.2F).view());
  const TrustJudge judge(model);
  TrustJudge::Scratch scratch = judge.scratch();
  const auto judged = judge.judge(judge.witnesses({p.mean.span(), p.variance.span()}, scratch), scratch);
  EXPECT_NEAR(judged.score, 0.736653059, 1e-4);
  EXPECT_EQ(witness_names(model), (std::vector<std::string>{"spread"}));
}

}  // namespace
}  // namespace nouq
