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
  store(Conformal{0.9, 1.0, number(1e6)}, surrogate);
  const plot::Table table = cli::evaluation_table(model_of(surrogate), sets, choice);
  EXPECT_EQ(table.columns.back().header, "band coverage");
  const auto& rows = table.groups.front().rows;
  EXPECT_EQ(rows[0].back().value, 1.0) << "bands of a million cover all";
  EXPECT_EQ(rows[1].back().text, "-");
  store(Conformal{0.9, 1.0, Array<double>({16, 8, 1}, 1e-9)}, surrogate);
  EXPECT_EQ(cli::evaluation_table(model_of(surrogate), sets, choice).groups.front().rows[0].back().value,
            0.0);
  sets.front().data = test::small_data(5, 3, 32, 8);
  const cli::EvaluationChoice plain{{"none"}, {"mse"}, {}, 1};
  EXPECT_EQ(cli::evaluation_table(model_of(surrogate), sets, plain).groups.front().rows[0].back().text, "-")
      << "pointwise bands are for one grid";
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
