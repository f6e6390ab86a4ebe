// Trust through every door of C++ and C: the same numbers and the same reasons, with and without what is
// known of the inputs besides.
#include <cmath>
#include <cstring>

#include <nouq/prediction.h>

#include "api/model_case.h"
#include "physics/trust_evidence.h"
#include "support/message.h"

namespace nouq {
namespace {

// The golden inputs as a data set with a law and a parameter.
DataSet question_of(const test::ModelCase& c, double mass, double parameter) {
  DataSet data;
  data.inputs = c.inputs;
  data.grid = c.surrogate.grid;
  data.output_channels = c.surrogate.output_channels;
  data.parameters = Array<double>({3, 1}, parameter);
  data.constraint_values["mass"] = Array<double>({3, 20}, mass);
  return data;
}

// Calibrated on its own three inputs, of which three quarters are to be called in-domain.
Surrogate calibrated(const test::ModelCase& c) {
  Surrogate s = c.surrogate;
  s.parameter_names = {{"m", ""}};
  s.parameter_range = Array<double>({1, 2}, {2, 3});
  s.laws["mass"] = {{s.grid.front().name}, 0};
  remove_trust(s);
  Array<double> kept = c.expected.pooled;  // as if trained on inputs near these
  for (Index i = 0; i < kept.size(); ++i) kept[i] *= 1 + 0.01 * static_cast<double>(i % 7);
  s.state["trust.training"] = std::move(kept);
  calibrate_trust({.level = 0.75}, question_of(c, 0.5, 2.5), predict(s, c.inputs.view()), s);
  return s;
}

void expect_equal(const Trust& a, const Trust& b) {
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.spread, b.spread);
  EXPECT_EQ(a.law, b.law);
  EXPECT_EQ(a.novelty, b.novelty);
  EXPECT_EQ(a.reasons, b.reasons);
}

TEST(TrustDoors, SayTheSame) {
  const test::ModelCase c("b_diverse");
  const Surrogate s = calibrated(c);
  Model model(std::make_shared<SharedModel>(s));
  const ModelInfo info = model.info();
  EXPECT_EQ(info.trust->witnesses, (std::vector<std::string>{"spread", "law", "novelty"}));
  EXPECT_EQ(info.trust->held_out, 3);
  const DataSet data = question_of(c, 50, 6.2);
  const Input inputs(c.inputs.data(), c.layout());
  const Known known{data.constraint_values, data.parameters};
  const std::vector<Trust> expected = trust(model, data, predict(model, c.inputs));
  ASSERT_TRUE(expected[1].law.has_value());
  EXPECT_EQ(expected[1].verdict, Verdict::out_of_domain);
  ASSERT_EQ(expected[1].reasons.size(), 2U);
  EXPECT_EQ(expected[1].reasons[1], "m = 6.2 is outside 2 to 3");
  for (const int threads : {1, 2, 3}) {
    model.set_threads(threads);
    const Answer answer = model.predict(inputs, false, known);
    for (std::size_t i = 0; i < 3; ++i) expect_equal(answer.trust[i], expected[i]);
  }
  const auto alone = model.predict(inputs).trust;
  EXPECT_FALSE(alone[0].law.has_value());
  const auto by_parts = trust(model, c.surrogate.grid, c.inputs, {}, predict(model, c.inputs));
  for (std::size_t i = 0; i < 3; ++i) expect_equal(alone[i], by_parts[i]);
  EXPECT_EQ(test::message_of([&] {
              (void)model.predict(inputs, false, {{{"heat", {}}}, {}});
            }),
            "values of 'heat': the model has no law of that name");
  EXPECT_EQ(test::message_of([&] {
              (void)model.predict(inputs, false, {{}, Array<double>({2, 1})});
            }),
            "parameters of shape [2, 1]: expected [3, 1]");
}

TEST(TrustDoors, InC) {
  const test::ModelCase c("b_diverse");
  const Surrogate s = calibrated(c);
  const test::TemporaryFolder folder;
  save_model(s, folder / "m.nouq");
  EXPECT_TRUE(load_model(folder / "m.nouq") == s) << "the witnesses survive the file";
  nouq_model model = 0;
  ASSERT_EQ(nouq_load((folder / "m.nouq").c_str(), &model), NOUQ_OK) << nouq_last_error();
  const DataSet data = question_of(c, 50, 6.2);
  nouq_arrays known = 0;
  ASSERT_EQ(nouq_new_arrays(&known), NOUQ_OK);
  const nouq_array mass = test::row_major(data.constraint_values.at("mass")),
                   parameters = test::row_major(data.parameters), inputs = test::row_major(c.inputs);
  ASSERT_EQ(nouq_set_array(known, "mass", &mass), NOUQ_OK);
  ASSERT_EQ(nouq_set_array(known, "parameters", &parameters), NOUQ_OK);
  double score[3], witnesses[9];
  int32_t verdict[3];
  char reasons[1000];
  nouq_trust trust_of_c{score, verdict, witnesses, reasons, sizeof reasons};
  ASSERT_EQ(nouq_predict_trust(model, &inputs, known, nullptr, nullptr, nullptr, &trust_of_c), NOUQ_OK)
      << nouq_last_error();
  const auto expected = trust(Model(std::make_shared<SharedModel>(s)), data, predict(s, c.inputs.view()));
  std::string lines;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(score[i], expected[i].score);
    EXPECT_EQ(verdict[i], static_cast<int32_t>(expected[i].verdict));
    EXPECT_EQ(witnesses[3 * i], *expected[i].spread);
    EXPECT_EQ(witnesses[3 * i + 1], *expected[i].law);
    EXPECT_EQ(witnesses[3 * i + 2], *expected[i].novelty);
    lines += expected[i].reasons.at(0) + "; " + expected[i].reasons.at(1) + "\n";
  }
  EXPECT_EQ(reasons, lines);
  ASSERT_EQ(nouq_predict_trust(model, &inputs, 0, nullptr, nullptr, nullptr, &trust_of_c), NOUQ_OK);
  EXPECT_TRUE(std::isnan(witnesses[1])) << "nothing is known of the law";
  trust_of_c.reasons_size = 3;
  EXPECT_EQ(nouq_predict_trust(model, &inputs, known, nullptr, nullptr, nullptr, &trust_of_c),
            NOUQ_BAD_REQUEST);
  EXPECT_EQ(std::string(nouq_last_error()).substr(0, 31), "room for 3 characters of reason");
  nouq_free_arrays(known);
  nouq_free(model);
}

}  // namespace
}  // namespace nouq
