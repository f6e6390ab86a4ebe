// What would spoil a training is found before it, not after it.
#include "cli/small_model_test.h"
#include "data/load.h"
#include "model/model_file.h"
#include "uq/conformal.h"
#include "uq/trust.h"

namespace nouq {
namespace {

class BeforeTraining : public test::SmallModelTest {
 protected:
  void expect_nothing_done() const { EXPECT_FALSE(std::filesystem::exists(tool / "m.nouq.training")); }
};

TEST_F(BeforeTraining, ALawThatDoesNotFitIsRefused) {
  DataSet data = load_data_set(tool / "d.npz");
  data.constraint_values["mass"] = Array<double>({30, 5}, 1.0);
  save_data_set(tool / "bad.npz", data);
  const std::string complaint =
      "nouq: bad.npz: constraint values 'mass': integral over x: values of shape [30, 5], expected "
      "one for all, or [30, 8], one for each sample and place\n";
  EXPECT_EQ(train_on("bad.npz", {"-o", "m.nouq"}).errors, complaint);
  EXPECT_EQ(train({"--validation", "bad.npz", "-o", "m.nouq"}).errors, complaint);
  expect_nothing_done();
}

TEST_F(BeforeTraining, ValidationDataNeedNoLaw) {
  DataSet data = load_data_set(tool / "d.npz");
  data.constraint_values.clear();
  save_data_set(tool / "lawless.npz", data);
  ASSERT_EQ(train({"--validation", "lawless.npz", "--epochs", "1", "-o", "m.nouq"}).code, 0);
  EXPECT_TRUE(load_model(tool / "m.nouq").state.contains("law.noise"));
}

TEST_F(BeforeTraining, ALevelThatNeedsMoreSamplesIsRefusedWhenItWasAskedFor) {
  EXPECT_EQ(train({"--coverage", "0.99", "-o", "m.nouq"}).errors,
            "nouq: coverage = 0.99: needs at least 99 held-out samples, there are 30; give more data, a "
            "larger validation-fraction, or 0\n");
  EXPECT_EQ(tool({"select", "d.npz", "--cross-folds", "0", "--trust-level", "0.95", "-o", "m.nouq"}).errors,
            "nouq: trust-level = 0.95: needs at least 19 held-out samples, there are 6; give more data, a "
            "larger validation-fraction, or 0\n");
  EXPECT_EQ(train({"--coverage", "1", "-o", "m.nouq"}).errors,
            "nouq: --coverage = 1.0: expected a number of at least 0 and below 1\n");
  expect_nothing_done();
  const test::Outcome usual = train({"--epochs", "1", "--cross-folds", "0", "-o", "m.nouq"});
  EXPECT_EQ(usual.code, 0);
  EXPECT_TRUE(
      says(usual,
           "note: 6 validation samples calibrate trust at 0.857, not 0.95: one input in 7 like those of "
           "training will be flagged"));
  EXPECT_TRUE(
      says(usual, "note: 6 validation samples are too few for conformal bands with a coverage of 0.9\n"));
}

TEST_F(BeforeTraining, ZeroLeavesACalibrationOut) {
  const test::Outcome outcome = train(
      {"--coverage", "0", "--trust-level", "0.8", "--cross-folds", "0", "--epochs", "1", "-o", "m.nouq"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_FALSE(says(outcome, "too few"));
  const Surrogate surrogate = load_model(tool / "m.nouq");
  EXPECT_FALSE(has_conformal(surrogate));
  EXPECT_TRUE(has_trust(surrogate));
}

TEST_F(BeforeTraining, FieldsOfZerosAreForTheMethodThatCanLearnThem) {
  DataSet data = load_data_set(tool / "d.npz");
  std::fill(data.outputs.begin(), data.outputs.begin() + 16 * 8, 0.0F);
  save_data_set(tool / "zeros.npz", data);
  const std::vector<std::string> more = {"--validation", "zeros.npz", "--epochs", "1"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), more.begin(), more.end());
    return train(words);
  };
  ASSERT_EQ(train({"--epochs", "1", "-o", "d.nouq"}).code, 0);
  const std::string complaint = "nouq: zeros.npz: the output of sample 0 is zero everywhere";
  EXPECT_TRUE(says(with({"-o", "m.nouq"}), complaint));
  EXPECT_TRUE(says(with({"--from", "d.nouq", "-o", "m.nouq"}), complaint)) << "the model's method counts";
  const test::Outcome outcome = with({"--method", "variance", "-o", "m.nouq"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("relative error -, mean squared error"), std::string::npos) << outcome.output;
  EXPECT_EQ(tool({"evaluate", "m.nouq", "--data", "zeros.npz"}).code, 0);
  EXPECT_EQ(
      mistake({"evaluate", "m.nouq", "--data", "zeros.npz", "--metrics", "relative_l2"}),
      "nouq: zeros.npz: relative_l2: truth of sample 0 is zero everywhere, so no error is relative to it\n");
}

}  // namespace
}  // namespace nouq
