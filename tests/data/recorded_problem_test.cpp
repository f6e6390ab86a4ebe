// A problem from what data remember of it.
#include "data/recorded_problem.h"

#include <gtest/gtest.h>

#include "support/message.h"

namespace nouq {
namespace {

TEST(RecordedProblem, HasTheOptionsItWasMadeWith) {
  Provenance provenance = {{"problem", "gpme"}, {"seed", "3"}};
  EXPECT_EQ(problem_of(provenance)->bounds(2, 0.1).lower, 0);
  record_options({{"form", "constant"}, {"nx", "30"}}, provenance);
  const auto problem = problem_of(provenance);
  EXPECT_EQ(problem->bounds(2, 0.1).lower, -1);
  EXPECT_EQ(problem->default_grid().front().size(), 30);
}

TEST(RecordedProblem, IsNoneWhereNoneIsKnown) {
  EXPECT_EQ(problem_of({}), nullptr);
  EXPECT_EQ(problem_of({{"problem", "weather over Ireland"}}), nullptr);
  EXPECT_NE(test::message_of([] {
              (void)problem_of({{"problem", "pme"}, {"option form", "constant"}});
            }).find("'form'"),
            std::string::npos);
}

TEST(RecordedProblem, RangesReadBackOrNotAtAll) {
  EXPECT_EQ(range_of({{"range", "2.5:1e3"}}), (ParameterRange{2.5, 1000}));
  for (const char* text : {"", "2", "3:2", "2:", ":2", "a:b", "1:inf", "1:2:3"})
    EXPECT_EQ(range_of({{"range", text}}), std::nullopt) << text;
  EXPECT_EQ(range_of({}), std::nullopt);
}

}  // namespace
}  // namespace nouq
