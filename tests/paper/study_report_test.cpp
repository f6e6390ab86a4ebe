// Tables, figures and the page of a study, from results made up by hand.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "data/temporary_folder.h"
#include "paper/made_up_results.h"
#include "paper/study_figures.h"
#include "paper/study_page.h"
#include "paper/study_sections.h"
#include "paper/study_table.h"
#include "plot/page.h"
#include "plot/picture.h"

namespace nouq::test {
namespace {

using namespace nouq::paper;  // NOLINT: the tests are about nothing else

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

TEST(StudyResults, OfUnknownProblemsAndMethodsArePassedOver) {
  std::vector<ResultJson> all = store();
  all[0]["settings"]["problem"] = "<b>soup</b>";
  all[1]["settings"]["method"] = "guessing";
  const StudyResults results(all, small_study(), paper);
  EXPECT_EQ(results.all().size(), 2U);
  EXPECT_EQ(results.methods("heat"), (std::vector<std::string>{"ensemble"}));
}

TEST(StudyResults, SayWhenSeedsAreInfinite) {
  std::vector<ResultJson> all = store();
  const std::string place = metric_place(Shift::small, "nmerci");
  all[0][ResultJson::json_pointer(place)] = nullptr;
  const StudyResults results(all, small_study(), paper);
  const Cell cell = over_seeds(results.runs("heat", "diverse"), place);
  EXPECT_EQ(cell.note, "1 of 2");
  EXPECT_EQ(cell.value, 0.3);
  EXPECT_TRUE(over_seeds(results.runs("heat", "ensemble"), place).note.empty());
  const Figure figure = shift_figure(results, shown_metrics[0]);
  const auto& diverse = std::get<Points>(figure.panels[0].series[1]);
  EXPECT_EQ(diverse.y[0], 0.3);
  EXPECT_TRUE(std::isnan(diverse.y[1])) << "the mean of the seeds that did not fail would flatter";
  const Cell none = over_seeds({&all[0]}, place);
  EXPECT_EQ(none.text, "–");
  EXPECT_FALSE(none.value);
}

TEST(StudyTable, PutsThePaperBesideOursAndLeavesOutWhatIsEmpty) {
  const StudyResults results(store(), small_study(), paper);
  const Table table = study_table(results, "advection-ic");
  EXPECT_EQ(table.title, "advection-ic, 1 seed: error and uncertainty");
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

// diverse has seeds of 1e-6 and 3e-6, ensemble two of 1.5e-6: lowest, without a deviation.
TEST(StudyTable, MarksMethodsOfEachProjectionApart) {
  std::vector<ResultJson> all = store();
  all.push_back(made_up_result(small_study(), "heat", "ensemble", 1, 1.5e-6));
  const StudyResults results(all, small_study(), paper);
  const Table table = projection_table(results, "heat");
  std::vector<bool> marks;
  for (const Row& row : table.groups[0].rows) marks.push_back(row[3].best);
  EXPECT_EQ(marks, (std::vector<bool>{true, true, true, false, false, false}));
  for (const std::string& caption : {table.caption, study_table(results, "heat").caption})
    EXPECT_NE(caption.find("within one standard deviation"), std::string::npos) << caption;
}

// Seed 0 alone would have diverse below ensemble, the mean over both seeds above.
TEST(StudyTable, MarksNothingWhereMethodsHaveDifferentSeeds) {
  const StudyResults results(store(), small_study(), paper);
  EXPECT_FALSE(results.same_seeds("heat"));
  EXPECT_TRUE(results.same_seeds("advection-ic"));
  const Table table = study_table(results, "heat");
  for (const Row& row : table.groups[0].rows) EXPECT_FALSE(row[2].best);
  EXPECT_NE(table.caption.find("different seeds"), std::string::npos) << table.caption;
  EXPECT_EQ(shift_figure(results, shown_metrics[1]).caption.find("Lowest in"), std::string::npos);
  for (const Table& claims : claims_tables(results))
    EXPECT_TRUE(claims.title.starts_with("Does the projection")) << claims.title;
}

TEST(StudyTable, DoubtsThePapersUnitOfDarcyAlone) {
  const StudyResults results({made_up_result(small_study(), "darcy", "diverse", 0, 1e-9), store()[0]},
                             small_study(), paper);
  EXPECT_NE(study_table(results, "darcy").caption.find("unit is not stated"), std::string::npos);
  EXPECT_EQ(study_table(results, "heat").caption.find("unit"), std::string::npos);
}

TEST(StudyTable, ShowsCoverageAndNoScoreWhereItIsAConstant) {
  std::vector<ResultJson> all = store();
  for (const Shift shift : all_shifts) all[3]["ranges"][to_string(shift)]["trust_auroc"] = 0.75;
  const Table table = own_table({all, small_study(), paper}, "advection-ic");
  const auto column = [&](const std::string& header) {
    const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                    [&](const Column& c) { return c.header == header; });
    return static_cast<std::size_t>(found - table.columns.begin());
  };
  const std::vector<Row> rows = {table.groups[0].rows[0], table.groups[1].rows[0]};
  EXPECT_EQ(rows[0].at(column("95 % coverage")).value, 0.8);
  EXPECT_EQ(rows[0].at(column("95 % coverage, bounded")).value, 0.9);
  EXPECT_FALSE(rows[0].at(column("trust AUROC")).value) << "0.5 by definition";
  EXPECT_EQ(rows[1].at(column("trust AUROC")).value, 0.75);
}

TEST(StudyTable, AddsUpWhatNetworksCost) {
  const Table table = cost_table({store(), small_study(), paper});
  EXPECT_EQ(table.groups[0].title, "heat");
  EXPECT_EQ(table.groups[0].rows[0][1].value, 2.0) << "networks";
  EXPECT_EQ(table.groups[0].rows[0][4].value, 10.0) << "seconds";
}

// Bayesian's network is the ensemble's first; rivals of a selection were trained too.
TEST(StudyTable, CountsTheTimeOfEveryNetworkOnce) {
  ResultJson ensemble = made_up_result(small_study(), "heat", "ensemble", 0, 1e-6);
  ensemble["networks"] = {{{"seconds", 60}}, {{"seconds", nullptr}}};
  ensemble["trials"] = {{{"chosen", true}, {"seconds", nullptr}}};
  ResultJson bayesian = made_up_result(small_study(), "heat", "bayesian", 0, 1e-6);
  bayesian["networks"] = {{{"seconds", 60}}};
  ResultJson dropout = made_up_result(small_study(), "heat", "dropout", 0, 1e-6);
  dropout["networks"] = {{{"seconds", 120}}};
  dropout["trials"] = {{{"chosen", true}, {"seconds", 120}}, {{"chosen", false}, {"seconds", 180}}};
  const Table table = time_table({{ensemble, bayesian, dropout}, small_study(), paper});
  const Row& row = table.groups[0].rows.at(0);
  EXPECT_EQ(row[1].value, 4.0) << "networks";
  EXPECT_EQ(row[2].value, 3.0) << "of known time";
  EXPECT_NEAR(*row[3].value, 2.0, 1e-12) << "minutes each";
  EXPECT_NEAR(*row[4].value, 4 * 2.0 / 60 / 2, 1e-12) << "hours on two cores";
}

TEST(StudyTable, TheTimeOfAllTablesIsTheirSum) {
  ResultJson heat = made_up_result(small_study(), "heat", "ensemble", 0, 1e-6);
  heat["networks"] = {{{"seconds", 60}}, {{"seconds", nullptr}}};
  ResultJson pme = made_up_result(small_study(), "pme", "variance", 0, 1e-6);
  pme["networks"] = {{{"seconds", 600}}};
  const std::vector<Row> rows = time_table({{heat, pme}, small_study(), paper}).groups[0].rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2][1].value, 3.0);
  EXPECT_EQ(rows[2][2].value, 2.0);
  EXPECT_NEAR(*rows[2][4].value, *rows[0][4].value + *rows[1][4].value, 1e-12);
  pme["networks"] = {{{"seconds", nullptr}}};
  EXPECT_FALSE(time_table({{heat, pme}, small_study(), paper}).groups[0].rows[2][4].value);
}

TEST(StudyTable, TimesAreOfTheSeedsThatHaveThem) {
  std::vector<ResultJson> runs;
  for (const std::uint64_t seed : {0U, 1U, 2U})
    runs.push_back(made_up_result(small_study(), "heat", "variance", seed, 1e-6));
  runs[1]["networks"][0]["seconds"] = nullptr;
  runs[2]["networks"][0]["seconds"] = 7.0;
  const Cell seconds = cost_table({runs, small_study(), paper}).groups[0].rows[0][4];
  EXPECT_EQ(seconds.value, 6.0);
  EXPECT_EQ(seconds.note, "2 of 3");
}

TEST(StudyResults, CountWhatOtherDefaultsMade) {
  ResultJson old = made_up_result(small_study(), "heat", "variance", 0, 1e-6);
  old["settings"]["recipe"] = "another";
  ResultJson foreign = old;
  foreign["settings"]["problem"] = "mine";
  StudyOptions endless = small_study();
  endless.samples = 1'000'000'000'000;
  const StudyResults results({old, foreign, made_up_result(small_study(), "heat", "diverse", 0, 1e-6),
                              made_up_result(endless, "heat", "variance", 0, 1e-6)},
                             small_study(), paper);
  EXPECT_EQ(results.outdated(), 2U);
  EXPECT_EQ(results.methods("heat"), (std::vector<std::string>{"diverse"}));
}

TEST(StudyFigures, CountWhoIsLowestAndHowOftenAProjectionHelps) {
  std::vector<ResultJson> all = store();
  all.push_back(made_up_result(small_study(), "heat", "ensemble", 1, 1.5e-6));
  const StudyResults results(all, small_study(), paper);
  const Figure mse = shift_figure(results, shown_metrics[1]);
  ASSERT_EQ(mse.panels.size(), 2U);
  EXPECT_NE(mse.caption.find("Lowest in the 3 shifted cases: ensemble 3."), std::string::npos) << mse.caption;
  const Figure ratio = ratio_figure(results, "diagonal");
  EXPECT_NE(ratio.caption.find("falls in 9 of 9"), std::string::npos) << ratio.caption;
  const auto& ours = std::get<Points>(ratio.panels[0].series[2]);
  EXPECT_NEAR(ours.y[2], 0.5, 1e-12);
  const auto& theirs = std::get<Line>(ratio.panels[0].series[1]);
  EXPECT_EQ(theirs.y[1], 0.75);
  EXPECT_EQ(legend_of(ratio).back().name, "paper");
  EXPECT_TRUE(ratio_figure(results, "low-rank").panels.empty());
  EXPECT_TRUE(trials_figure(results).panels.empty()) << "one strength is no choice";
  EXPECT_TRUE(trust_shift_figure(results).panels.empty());
}

TEST(StudyFigures, ShowTrialsOfTheChosenWidthAndRateOnly) {
  ResultJson result = made_up_result(small_study(), "heat", "diverse", 0, 1e-6);
  result["trials"] = ResultJson::array();
  for (const double width : {16.0, 32.0}) {
    for (const double strength : {0.1, 1.0})
      result["trials"].push_back({{"width", width},
                                  {"strength", strength},
                                  {"chosen", width == 32.0 && strength == 1.0},
                                  {"validation_mse", width * strength}});
  }
  const Figure figure = trials_figure({{result}, small_study(), paper});
  ASSERT_EQ(figure.panels.size(), 1U);
  EXPECT_EQ(std::get<Points>(figure.panels[0].series[0]).y, (std::vector<double>{3.2, 32}));
  EXPECT_EQ(std::get<Points>(figure.panels[0].series[1]).y, std::vector<double>{32});
}

// Given out of order, and one with no place on a logarithmic axis.
TEST(StudyFigures, ShowAStrengthOfZeroAndPutOthersInOrder) {
  ResultJson result = made_up_result(small_study(), "heat", "diverse", 0, 1e-6);
  result["trials"] = ResultJson::array();
  for (const double strength : {1.0, 0.0, 0.1})
    result["trials"].push_back(
        {{"strength", strength}, {"chosen", strength == 0.0}, {"validation_mse", 5 - strength}});
  const Figure figure = trials_figure({{result}, small_study(), paper});
  ASSERT_EQ(figure.panels.size(), 1U);
  ASSERT_EQ(figure.panels[0].series.size(), 2U) << "none of the points is the chosen one";
  const auto& zero = std::get<Line>(figure.panels[0].series[0]);
  EXPECT_EQ(zero.name, "strength 0 (chosen)");
  EXPECT_EQ(zero.x, (std::vector<double>{0.1, 1}));
  EXPECT_EQ(zero.y, (std::vector<double>{5, 5}));
  EXPECT_EQ(std::get<Points>(figure.panels[0].series[1]).y, (std::vector<double>{4.9, 4}));
}

TEST(StudyPage, SaysWhatSeedsShareOnceAndWhatTheyDoNotOfEach) {
  std::vector<ResultJson> all = store();
  for (ResultJson& result : all) result["version"] = "1.0";
  all[0]["trials"][0]["strength"] = 10.0;
  all[0]["machine"] = "abacus";
  const Page page = study_page({all, small_study(), paper}, {.folder = "r", .command = "nouq reproduce"});
  const std::string html = page_html(page, Interaction::none);
  for (const char* part : {"nouq reproduce --problems heat,advection-ic --seeds 0,1\n",
                           "<dt>chosen</dt><dd>seed 0: width 4, rate 0.001, strength 1.0; seed 1: width 4, "
                           "rate 0.001, strength 10.0</dd>",
                           "<dt>machine</dt><dd>seed 0: not known; seed 1: &#34;abacus&#34;</dd>",
                           "<dt>version</dt><dd>&#34;1.0&#34;</dd>"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

// Seed 1 has two pictured methods and seed 0 one; of ensemble there is no seed 1.
TEST(StudyPictures, AreOfTheSeedThatMostMethodsHaveAndSayWhatIsMissing) {
  const StudyOptions o = small_study();
  std::vector<ResultJson> all;
  for (const char* method : {"bayesian", "variance", "dropout", "diverse"})
    all.push_back(made_up_result(o, "heat", method, 1, 1e-6));
  all.push_back(made_up_result(o, "heat", "ensemble", 0, 1e-6));
  for (const std::size_t pictured : {0U, 1U, 3U, 4U}) {
    for (const Shift shift : all_shifts)
      all[pictured]["ranges"][to_string(shift)]["picture"] = made_up_picture(100, 1, 2);
  }
  all[1]["ranges"]["large"]["picture"]["mean"][3] = 1e300;
  const Pictures pictures = pictures_of({all, o, {}}, "heat");
  std::vector<std::string> prose, titles;
  for (const Block& block : pictures.solutions) {
    if (const auto* words = std::get_if<Prose>(&block)) prose.push_back(words->text);
    if (const auto* figure = std::get_if<Figure>(&block)) titles.push_back(figure->title);
  }
  EXPECT_EQ(prose,
            (std::vector<std::string>{
                "Not pictured: dropout (made before results kept pictures; `nouq reproduce --again` adds "
                "them where the trained networks are).",
                "Not pictured: ensemble (no result of seed 1).",
                "Not pictured: variance (what is kept for large cannot be drawn)."}));
  ASSERT_EQ(titles.size(), 7U) << "four ranges, three of them projected";
  EXPECT_EQ(titles[0], "heat, in-domain, k = 1.5");
  const auto& in_domain = std::get<Figure>(pictures.solutions[3]);
  ASSERT_EQ(in_domain.panels.size(), 3U);
  EXPECT_EQ(in_domain.panels[1].title, "variance");
  const auto& large = std::get<Figure>(pictures.solutions[8]);
  EXPECT_EQ(large.panels.size(), 2U) << "without variance";
  const auto& band = std::get<Band>(large.panels[0].series[1]);
  EXPECT_EQ(band.upper[7], 2 + 3 * 0.5);
}

// A truth from 0 to 1, and one method's mean of 50: as far again as the truth reaches is shown, and a margin.
TEST(StudyPictures, KeepWhatIsNearTheTruthReadable) {
  FieldPicture picture{.grid = {{"x", "", {0, 1}}}, .truth = {0, 1}, .mean = {0, 1}, .variance = {0, 0}};
  ShownRange range{"heat", "large", "k", {{"bayesian", picture}, {"diverse", picture}}};
  range.methods[1].picture.mean = {0, 50};
  const Figure figure = solution_figure(range);
  for (const Panel& panel : figure.panels) {
    EXPECT_NEAR(*panel.y.low, -0.35 * 2, 1e-12);
    EXPECT_NEAR(*panel.y.high, 2 + 0.35 * 2, 1e-12);
  }
}

TEST(StudyPictures, OfAFlatFieldCanBeDrawn) {
  ResultJson flat = made_up_result(small_study(), "darcy", "ensemble", 0, 1e-9);
  for (const Shift shift : all_shifts)
    flat["ranges"][to_string(shift)]["picture"] = made_up_picture(32 * 32, 0, 0);
  flat["members"] = {{"weights", "many"}};
  const Pictures pictures = pictures_of({{flat}, small_study(), {}}, "darcy");
  ASSERT_EQ(pictures.solutions.size(), 4U) << "no law, no projection";
  for (const Block& block : pictures.solutions) EXPECT_NO_THROW(svg(std::get<Figure>(block)));
  ASSERT_EQ(pictures.members.size(), 1U);
  EXPECT_NE(std::get<Prose>(pictures.members[0]).text.find("members of ensemble cannot be drawn"),
            std::string::npos);
}

// Off by 1 everywhere; deviations of 0.5 and, of one that knows nothing of it, 0.
TEST(StudyPictures, OfMapsSayHowSureAMethodIs) {
  const Grid grid = {{"x", "", {0, 1}}, {"y", "", {0, 1}}};
  FieldPicture picture{
      .grid = grid, .truth = {0, 1, 2, 3}, .mean = {1, 2, 3, 4}, .variance = {0.25, 0.25, 0.25, 0.25}};
  ShownRange range{"darcy", "large", "k", {{"bayesian", picture}, {"diverse", picture}}};
  range.methods[0].picture.variance.assign(4, 0);
  const Figure figure = solution_figure(range);
  ASSERT_EQ(figure.panels.size(), 6U);
  EXPECT_NE(figure.caption.find("over the field: diverse 2.0; far"), std::string::npos) << figure.caption;
  EXPECT_FALSE(heat_map_of(figure.panels[0])->value.low) << "colours of its own";
  range.methods.pop_back();
  EXPECT_TRUE(solution_figure(range).caption.ends_with("the same size."));
}

TEST(StudyPage, IsMadeOfWhatIsThere) {
  const TemporaryFolder folder;
  const StudyResults results(store(), small_study(), paper);
  const Page page = study_page(results, {.folder = "r", .command = "nouq reproduce"});
  const std::string html = page_html(page, Interaction::none);
  EXPECT_NE(html.find("Not pictured: ensemble, diverse (made before"), std::string::npos);
  EXPECT_NE(html.find("id=\"settings-heat-diverse\""), std::string::npos);
  EXPECT_EQ(html.find("settings-heat-dropout"), std::string::npos);
  const std::string markdown = page_markdown(page, "pictures");
  EXPECT_NE(markdown.find("| diverse |"), std::string::npos);
  EXPECT_NE(markdown.find("(pictures/n-merci-against-shift.svg)"), std::string::npos);
  EXPECT_EQ(markdown.find("](#"), std::string::npos) << "places in the page mean nothing in a text";
  const std::size_t written = write_figures(folder / "pictures", page);
  EXPECT_TRUE(std::filesystem::exists(folder / "pictures/n-merci-against-shift.svg"));
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
