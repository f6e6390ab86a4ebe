#include "data/generate.h"

#include <gtest/gtest.h>

namespace nouq {
namespace {

TEST(Generate, CarriesFieldsMassNamesAndTheRecipe) {
  const auto problem = make_problem("pme");
  const DataSet data = generate_data_set(*problem, {5, 3, problem->range(Shift::in_domain), {}, 1});
  validate(data, "generated data");
  EXPECT_EQ(data.inputs.shape(), (Shape{5, 100, 20, 1}));
  EXPECT_EQ(data.constraint_values.at("mass").shape(), (Shape{5, 20}));
  EXPECT_EQ(data.provenance.at("problem"), "pme");
  EXPECT_EQ(data.provenance.at("seed"), "3");
  EXPECT_EQ(data.provenance.at("range"), "2:3");
  EXPECT_EQ(data.parameters.shape(), (Shape{5, 1}));
  EXPECT_EQ(static_cast<float>(data.parameters[2]), data.inputs[2 * 2000]);
}

TEST(Generate, UnsolvedDataHaveTheLawWhenItIsAskedFor) {
  const std::vector<double> parameters = {2.5, 5};
  for (const char* name : {"pme", "gpme", "darcy"}) {
    const auto problem = make_problem(name, {{"nx", "9"}, {name[0] == 'd' ? "ny" : "nt", "7"}});
    const DataSet solved = solve_data_set(*problem, parameters, problem->default_grid());
    DataSet asked = unsolved_data_set(*problem, parameters, problem->default_grid(), true);
    EXPECT_TRUE(asked.outputs.empty()) << name;
    asked.outputs = solved.outputs;
    EXPECT_EQ(asked, solved) << name;
    asked = unsolved_data_set(*problem, parameters, problem->default_grid(), false);
    EXPECT_TRUE(asked.constraint_values.empty()) << name;
  }
}

}  // namespace
}  // namespace nouq
