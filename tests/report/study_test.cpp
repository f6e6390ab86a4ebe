// Tables, figures and the page of a study, from results made up by hand.
#include <cmath>

#include <gtest/gtest.h>

#include "data/temporary_folder.h"
#include "report/made_up_results.h"
#include "report/page_files.h"
#include "report/study_figures.h"
#include "report/study_page.h"
#include "report/study_table.h"
#include "report/sweep_figures.h"

namespace nouq::test {
namespace {

using namespace nouq::report;  // NOLINT: the tests are about nothing else

const ResultJson paper = ResultJson::parse(R"({
  "uq": {"advection_ic": {"in_domain": {"diverse": {"mse": {"mean": 7.5e-5, "std": 2e-6}}}}},
  "probconserv": {"heat": {"small": {"diverse": {"mse": {"mean": 4.0}, "mse_pc": {"mean": 3.0},
                                                 "ce_pc": {"mean": 0.25}}}}}})");

std::vector<ResultJson> store() {
  const StudyOptions o = small_study();
  return {made_up_result(o, "heat", "diverse", 1, 3e-6), made_up_result(o, "heat", "diverse", 0, 1e-6),
          made_up_result(o, "heat", "ensemble", 0, 1.5e-6),
          made_up_result(o, "advection-ic", "diverse", 0, 1e-4)};
}

TEST(StudyResults, CountOnlyWithTheirExactSettings) {
  StudyOptions longer = small_study();
  longer.epochs = 4;
  std::vector<ResultJson> all = store();
  all.push_back(made_up_result(longer, "heat", "diverse", 2, 100));
  const StudyResults results(all, small_study(), paper);
  EXPECT_EQ(results.problems(), (std::vector<std::string>{"heat", "advection-ic"}));
  EXPECT_EQ(results.methods("heat"), (std::vector<std::string>{"ensemble", "diverse"}));
  const Cell cell = over_seeds(results.runs("heat", "diverse"), metric_place(Shift::small, "mse"));
  EXPECT_NEAR(*cell.value, 2e-5, 1e-12);
  EXPECT_NEAR(*cell.spread, std::sqrt(2.0) * 1e-5, 1e-12);
  EXPECT_EQ(results.runs("heat", "diverse").front()->at("settings").at("seed"), 0);
  EXPECT_FALSE(over_seeds(results.runs("heat", "diverse"), "/nothing").value);
  EXPECT_EQ(results.paper("uq", "advection-ic", Shift::in_domain, "diverse", "mse").value, 7.5e-5);
  EXPECT_FALSE(results.paper("uq", "heat", Shift::in_domain, "diverse", "mse").value);
}

TEST(StudyTable, PutsThePaperBesideOursAndLeavesOutWhatIsEmpty) {
  const StudyResults results(store(), small_study(), paper);
  const Table table = study_table(results, "advection-ic");
  EXPECT_EQ(table.title, "advection-ic, 1 seed");
  ASSERT_EQ(table.columns.size(), 3U) << "method, MSE and n-MeRCI: nothing else was measured";
  EXPECT_EQ(table.groups[0].rows[0][1].reference, 7.5e-5);
  EXPECT_EQ(table.groups[1].rows[0][1].value, 1e-3);
  EXPECT_EQ(study_table(results, "heat").columns[1].header, "seeds") << "methods have different numbers";
  EXPECT_THROW(study_table(results, "darcy"), Error);
}

TEST(StudyTable, ShowsBeforeAndAfterTheProjection) {
  const StudyResults results(store(), small_study(), paper);
  const Table table = projection_table(results, "heat");
  // Of the small shift, diverse: plain, the paper's projection, ours.
  const std::vector<Row>& rows = table.groups[1].rows;
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[3][4].reference, 4.0);
  EXPECT_EQ(rows[4][4].reference, 3.0);
  EXPECT_EQ(rows[4][3].reference, 0.25);
  EXPECT_FALSE(rows[5][4].reference) << "the paper knows no bounds";
  EXPECT_DOUBLE_EQ(*rows[5][4].value, 1e-5);
}

TEST(StudyTable, AddsUpWhatNetworksCost) {
  const Table table = cost_table({store(), small_study(), paper});
  EXPECT_EQ(table.groups[0].title, "heat");
  EXPECT_EQ(table.groups[0].rows[0][1].value, 2.0) << "networks";
  EXPECT_EQ(table.groups[0].rows[0][4].value, 10.0) << "seconds";
}

TEST(StudyFigures, CountWhoIsLowestAndHowOftenAProjectionHelps) {
  const StudyResults results(store(), small_study(), paper);
  const Figure mse = shift_figure(results, shown_metrics[1]);
  ASSERT_EQ(mse.panels.size(), 2U);
  EXPECT_NE(mse.caption.find("Lowest in the 3 shifted cases: ensemble 3."), std::string::npos) << mse.caption;
  const Figure ratio = ratio_figure(results, "diagonal");
  EXPECT_NE(ratio.caption.find("falls in 9 of 9"), std::string::npos) << ratio.caption;
  const auto& ours = std::get<Points>(ratio.panels[0].series.back());
  EXPECT_NEAR(ours.y[2], 0.5, 1e-12);
  const auto& theirs = std::get<Line>(ratio.panels[0].series[1]);
  EXPECT_EQ(theirs.y[1], 0.75);
  EXPECT_TRUE(ratio_figure(results, "low-rank").panels.empty());
  EXPECT_TRUE(trials_figure(results).panels.empty()) << "one strength is no choice";
  EXPECT_TRUE(trust_shift_figure(results).panels.empty());
}

// Strengths and kinds of diversity: one figure per metric, a line per kind, the ensemble as a reference.
TEST(SweepFigures, DrawALineThroughResultsThatDifferInOneSetting) {
  std::vector<ResultJson> all = store();
  for (const std::string kind : {"weights", "gradients"}) {
    for (const double strength : {0.1, 10.0}) {
      StudyOptions o = small_study();
      o.diversity = kind;
      o.grid.strength = {strength};
      all.push_back(made_up_result(o, "heat", "diverse", 0, strength));
    }
  }
  const auto figures = sweep_figures(all, sweeps[2]);
  ASSERT_EQ(figures.size(), 2U);
  const Panel& panel = figures[1].panels[0];
  ASSERT_EQ(panel.series.size(), 2U);
  EXPECT_EQ(name_of(panel.series[1]), "diverse, weights");
  EXPECT_EQ(std::get<Points>(panel.series[1]).x, (std::vector<double>{0.1, 1, 10}));
  EXPECT_NEAR(std::get<Points>(panel.series[1]).y[1], 2e-6, 1e-12) << "the mean of two seeds";
  ASSERT_EQ(panel.references.size(), 1U);
  EXPECT_EQ(panel.references[0].label, "ensemble");
  EXPECT_TRUE(sweep_figures(all, sweeps[0]).empty()) << "one count only";
}

TEST(SweepFigures, ShowWhatQualityCosts) {
  const auto figures = cost_figures(store());
  ASSERT_EQ(figures.size(), 1U) << "advection-ic has one method only";
  EXPECT_EQ(figures[0].panels.size(), 6U);
  EXPECT_NE(figures[0].caption.find("50 % of the operations"), std::string::npos) << figures[0].caption;
}

TEST(StudyPage, IsMadeOfWhatIsThere) {
  const TemporaryFolder folder;
  const StudyResults results(store(), small_study(), paper);
  const Page page =
      study_page(results, {.places = {folder / "r", folder / "none"}, .command = "nouq reproduce"});
  const std::string html = page_html(page, Interaction::none);
  EXPECT_NE(html.find("which are not there"), std::string::npos);
  EXPECT_NE(html.find("id=\"settings-heat-diverse\""), std::string::npos);
  EXPECT_EQ(html.find("settings-heat-dropout"), std::string::npos);
  const std::string markdown = page_markdown(page, "pictures");
  EXPECT_NE(markdown.find("| diverse |"), std::string::npos);
  EXPECT_NE(markdown.find("(pictures/overview-1.svg)"), std::string::npos);
  EXPECT_EQ(markdown.find("](#"), std::string::npos) << "places in the page mean nothing in a text";
  const std::size_t written = write_figures(folder / "pictures", page);
  EXPECT_TRUE(std::filesystem::exists(folder / "pictures/overview-1.svg"));
  std::size_t mentioned = 0;
  for (auto at = markdown.find("](pictures/"); at != std::string::npos;
       at = markdown.find("](pictures/", at + 1))
    ++mentioned;
  EXPECT_EQ(written, mentioned);
  StudyOptions other = small_study();
  other.epochs = 77;
  EXPECT_THROW(study_page({store(), other, {}}, {}), Error);
}

}  // namespace
}  // namespace nouq::test
