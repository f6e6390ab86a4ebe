// Tables of a model's metrics on drawn and given test sets.
#include "evaluation_table.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "api/shared_model.h"
#include "support/message.h"
#include "support/small_fit.h"
#include "uq/conformal.h"

namespace nouq {
namespace {

// Trained for an epoch: enough to be asked.
Surrogate small_surrogate() {
  FitOptions options = test::small_fit("diverse", 1);
  options.train.network.padding = {{0, 0.5}, {0, 0.5}};
  return *fit(options, test::small_data(14, 1), test::small_data(7, 2));
}

Model model_of(const Surrogate& surrogate) { return Model(std::make_shared<SharedModel>(surrogate)); }

TEST(ShiftedSets, InDomainIsTheRangeOfTheTrainingData) {
  const auto pme = make_problem("pme");
  Surrogate surrogate = small_surrogate();
  surrogate.facts.clear();
  const auto drawn = [&] {
    const auto parameters = cli::shifted_sets(model_of(surrogate), *pme, 20, 5, 1).front().data.parameters;
    const auto [low, high] = std::minmax_element(parameters.begin(), parameters.end());
    return ParameterRange{*low, *high};
  };
  EXPECT_GT(drawn().high, 2.5) << "the problem's own, 2 to 3";
  surrogate.facts = {{"data.problem", "pme"}, {"data.range", "2.2:2.3"}};
  EXPECT_GE(drawn().low, 2.2);
  EXPECT_LE(drawn().high, 2.3);
  surrogate.facts["data.problem"] = "heat";
  EXPECT_GT(drawn().high, 2.5) << "a range of another problem's parameter";
}

TEST(EvaluationTable, ShowsTheCoverageOfBandsBeforeAProjectionOnly) {
  Surrogate surrogate = small_surrogate();
  std::vector<cli::TestSet> sets = {{"far.npz", test::small_data(5, 3)}};
  sets.front().data.constraint_values["mass"] = Array<double>({5, 8}, 1.0);
  const cli::EvaluationChoice choice{{"none", "diagonal"}, {"mse"}, {}, 1};
  EXPECT_EQ(cli::evaluation_table(model_of(surrogate), sets, choice).columns.size(), 3U)
      << "a model without bands";
  store(Conformal{0.9, {1.0}, number(1e6)}, surrogate);
  const plot::Table table = cli::evaluation_table(model_of(surrogate), sets, choice);
  EXPECT_EQ(table.columns.back().header, "band coverage");
  const auto& rows = table.groups.front().rows;
  EXPECT_EQ(rows[0].back().value, 1.0) << "bands of a million cover all";
  EXPECT_EQ(rows[1].back().text, "-");
  store(Conformal{0.9, {1.0}, Array<double>({16, 8, 1}, 1e-9)}, surrogate);
  EXPECT_EQ(cli::evaluation_table(model_of(surrogate), sets, choice).groups.front().rows[0].back().value,
            0.0);
  sets.front().data = test::small_data(5, 3, 32, 8);
  const cli::EvaluationChoice plain{{"none"}, {"mse"}, {}, 1};
  EXPECT_EQ(cli::evaluation_table(model_of(surrogate), sets, plain).groups.front().rows[0].back().text, "-")
      << "pointwise bands are for one grid";
}

// The second channel is a thousand times the first: together they are as good as the second alone.
DataSet two_channels(Index samples, std::uint64_t seed) {
  DataSet data = test::small_data(samples, seed);
  Shape shape = data.outputs.shape();
  shape.back() = 2;
  Array<float> both(shape);
  for (Index i = 0; i < data.outputs.size(); ++i) {
    both[2 * i] = data.outputs[i];
    both[2 * i + 1] = 1000 * data.outputs[i];
  }
  data.outputs = both;
  data.output_channels = {{"shear", "Pa"}, {"pressure", "Pa"}};
  return data;
}

TEST(EvaluationTable, EveryChannelHasARowOfItsOwn) {
  FitOptions options = test::small_fit("diverse", 1);
  options.normalise = true;
  const Surrogate surrogate = *fit(options, two_channels(14, 1), two_channels(7, 2));
  const std::vector<cli::TestSet> sets = {{"d.npz", two_channels(5, 3)}};
  const auto table = cli::evaluation_table(model_of(surrogate), sets,
                                           {{"none"}, {"mse", "relative_l2", "conservation_error"}, {}, 1});
  const auto list = cli::records(table);
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0]["channel"], "all");
  EXPECT_EQ(list[1]["channel"], "shear");
  EXPECT_EQ(list[2]["channel"], "pressure");
  const double shear = list[1]["mse"], pressure = list[2]["mse"], all = list[0]["mse"];
  EXPECT_NEAR(all, 0.5 * (shear + pressure), 1e-9 * all);
  EXPECT_LT(shear, 1e-3 * pressure);
  EXPECT_TRUE(list[1]["conservation_error"].is_null()) << "of the law's channel only, in the row of all";
  EXPECT_EQ(cli::lumped_channels(sets.front().data),
            "the channel pressure is 1000 times as large as shear: figures of 'all' channels are those of "
            "pressure, see the rows of each");
  EXPECT_EQ(cli::lumped_channels(test::small_data(5, 3)), "");
}

TEST(EvaluationTable, ErrorsNameTheSet) {
  const Surrogate surrogate = small_surrogate();
  std::vector<cli::TestSet> sets = {{"near.npz", test::small_data(5, 3)},
                                    {"far.npz", test::small_data(5, 3)}};
  for (double& x : sets.back().data.grid[0].coordinates) x *= 2;
  EXPECT_TRUE(test::message_of([&] {
                (void)cli::evaluation_table(model_of(surrogate), sets, {{"none"}, {"mse"}, {}, 1});
              }).starts_with("far.npz: axis x runs from"));
}

}  // namespace
}  // namespace nouq
