#include "plot/table.h"

#include <limits>

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "plot/sample_page.h"

namespace nouq::test {
namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<bool> marks_of(const Table& table) {
  std::vector<bool> marks;
  for (const Row& row : table.groups[0].rows) marks.push_back(row.back().best);
  return marks;
}

TEST(Number, Notations) {
  EXPECT_EQ(format_number(1.7e-4, {}), "1.70e-4");
  EXPECT_EQ(format_number(1.7e12, {}), "1.70e12");
  EXPECT_EQ(format_number(-3.14159, {}), "-3.14");
  EXPECT_EQ(format_number(1234.5, {}), "1234");
  EXPECT_EQ(format_number(0, {}), "0.00");
  EXPECT_EQ(format_number(0.4567, {.notation = Notation::fixed, .digits = 1}), "0.5");
  EXPECT_EQ(format_number(0.4567, {.notation = Notation::scientific, .digits = 2}), "4.6e-1");
  EXPECT_EQ(format_number(1, {.notation = Notation::scientific, .digits = 2}), "1.0e0");
  EXPECT_EQ(format_number(std::numeric_limits<double>::infinity(), {}), "–");
}

TEST(Number, ADeviationNeverShowsAsZeroUnlessItIs) {
  EXPECT_EQ(cell_text({0.43, 0.012}, {}), "0.430 ± 0.012");
  EXPECT_EQ(cell_text({27.9, 0.002}, {}), "27.9 ± 0.002");
  EXPECT_EQ(cell_text({27.9, 1e-9}, {}), "27.9 ± 1e-9");
  EXPECT_EQ(cell_text({27.9, 0}, {}), "27.9 ± 0.0");
  EXPECT_EQ(cell_text({1.7e-4, 2.04e-5}, {}), "1.70e-4 ± 2.0e-5");
  // What others have published is shown with their digits.
  const auto published = [](double value, double spread) {
    Cell cell;
    cell.reference = value;
    cell.reference_spread = spread;
    return reference_text(cell);
  };
  EXPECT_EQ(published(1.17, 0.11), "1.17 ± 0.11");
  EXPECT_EQ(published(2.5e-6, 1e-7), "2.5e-6 ± 1e-7");
  EXPECT_EQ(published(1.7e-4, 8e-5), "1.7e-4 ± 8e-5");
  EXPECT_EQ(published(9e6, 1.25e5), "9e6 ± 1.25e5");
  EXPECT_EQ(published(0.0019, 1.1e-4), "0.0019 ± 0.00011");
  EXPECT_EQ(published(-8200, 0), "-8200 ± 0");
  EXPECT_EQ(published(-7.75e5, 20000), "-7.75e5 ± 20000");
}

TEST(Table, RowsMustFit) {
  EXPECT_ERROR(table_text({.title = "T"}), "table 'T' has no columns");
  EXPECT_ERROR(table_html({.title = "T", .columns = {{"a"}}, .groups = {{"g", {{1.0}, {1.0, 2.0, 3.0}}}}}),
               "table 'T', group 'g', row 2: 3 cells, expected 1");
}

TEST(Table, TheBestOfEachGroupIsMarked) {
  Table table = sample_table();
  EXPECT_FALSE(table.groups[0].rows[0][1].best);
  EXPECT_TRUE(table.groups[0].rows[1][1].best);
  EXPECT_TRUE(table.groups[1].rows[2][1].best);
  EXPECT_FALSE(table.groups[1].rows[2][4].best) << "that column has no best";
  table.columns[1].best = Best::highest;
  mark_best(table);
  EXPECT_TRUE(table.groups[0].rows[0][1].best);
  EXPECT_FALSE(table.groups[0].rows[1][1].best);
}

TEST(Table, TiesAreAllMarkedAndMissingOnesNever) {
  Table table = {.columns = {{.header = "a", .best = Best::lowest}},
                 .groups = {{"", {{0.12301}, {0.12302}, {missing}, {0.2}}}}};
  mark_best(table);
  EXPECT_EQ(marks_of(table), (std::vector<bool>{true, true, false, false}));
}

TEST(Table, AllWithinOneDeviationOfTheBestAreMarked) {
  Table table = {.columns = {{.header = "a", .best = Best::lowest}},
                 .groups = {{"", {{Cell(2.0, 0.5)}, {Cell(2.5, 0.1)}, {Cell(2.6, 9.0)}, {2.4}}}}};
  mark_best(table);
  EXPECT_EQ(marks_of(table), (std::vector<bool>{true, true, false, true}))
      << "the deviation of the best counts";
  table.columns[0].best = Best::highest;
  mark_best(table);
  EXPECT_EQ(marks_of(table), (std::vector<bool>{true, true, true, true}));
  table.groups[0].rows[2][0].spread.reset();
  mark_best(table);
  EXPECT_EQ(marks_of(table), (std::vector<bool>{false, false, true, false})) << "one seed has no deviation";
}

TEST(Table, WhatIsNegligibleIsATie) {
  Table table = {.columns = {{.header = "a", .best = Best::lowest, .negligible = 1e-12}},
                 .groups = {{"", {{6e-16}, {6.5e-14}, {1e-11}}}}};
  mark_best(table);
  EXPECT_EQ(marks_of(table), (std::vector<bool>{true, true, false}));
}

TEST(Table, RowsThatAreSetApartDoNotCompete) {
  Table table = {
      .columns = {{.header = "projection", .separates = true}, {.header = "a", .best = Best::lowest}},
      .groups = {{"", {{"none", 3.0}, {"none", 4.0}, {"bounded", 1.0}, {"bounded", 2.0}}}}};
  mark_best(table);
  EXPECT_EQ(marks_of(table), (std::vector<bool>{true, false, true, false}));
}

TEST(Table, ANumberWithAReservationIsShownAndNeverTheBest) {
  Table table = {.columns = {{.header = "a", .best = Best::lowest}}, .groups = {{"", {{1.0}, {2.0}}}}};
  table.groups[0].rows[0][0].note = "1 of 2";
  mark_best(table);
  EXPECT_EQ(marks_of(table), (std::vector<bool>{false, true}));
  EXPECT_TRUE(holds(table_html(table), "1.00 (1 of 2)</td>"));
  EXPECT_EQ(table_json(table)["groups"][0]["rows"][0][0]["note"], "1 of 2");
}

TEST(Table, WordsAreNeverTheBest) {
  Table table = {.columns = {{.header = "a", .best = Best::lowest}}, .groups = {{"", {{"failed"}, {0.2}}}}};
  mark_best(table);
  EXPECT_FALSE(table.groups[0].rows[0][0].best);
  EXPECT_TRUE(table.groups[0].rows[1][0].best);
}

TEST(Table, AsTextIsAligned) {
  Table table = {.title = "T",
                 .columns = {{.header = "näme"}, {.header = "v", .digits = 2, .best = Best::lowest}},
                 .groups = {{"group", {{"ä", 1.0}, {"longer", 22.0}}}}};
  mark_best(table);
  table.groups[0].rows[1][1].reference = 20;
  EXPECT_EQ(table_text(table),
            "T\n"
            "näme            v\n"
            "─────────────────\n"
            "group\n"
            "ä       1.0*\n"
            "longer   22  [20]\n"
            "[...]: paper\n");
}

TEST(Table, AsMarkdown) {
  Table table = sample_table();
  table.groups[0].rows[0][0] = "a|b *c*\n" + hostile;
  const std::string text = table_markdown(table);
  EXPECT_TRUE(holds(text, "| method | accuracy: MSE |"));
  EXPECT_TRUE(holds(text, "| --- | ---: |"));
  EXPECT_TRUE(holds(text, "| ensemble | **1.36e-4 ± 1.6e-5** [1.2e-4] |"));
  EXPECT_TRUE(holds(text, "a\\|b \\*c\\* &lt;script&gt;"));
  EXPECT_TRUE(holds(text, "In brackets: the paper."));
}

TEST(Table, AsJson) {
  Table table = sample_table();
  table.groups[0].rows[0][4] = missing;
  table.groups[0].rows[0][0] = "\xff";
  const auto json = table_json(table);
  EXPECT_EQ(json["columns"][3]["header"], "n-MeRCI");
  EXPECT_EQ(json["groups"][0]["rows"][1][1]["value"], 1.7e-4 * 0.8);
  EXPECT_EQ(json["groups"][0]["rows"][1][1]["best"], true);
  EXPECT_EQ(json["groups"][0]["rows"][1][3]["reference_spread"], 0.02);
  EXPECT_TRUE(json["groups"][0]["rows"][0][4]["value"].is_null());
  EXPECT_NO_THROW((void)json.dump());
}

TEST(Table, AsHtml) {
  Table table = sample_table();
  table.groups[0].rows[0][0] = hostile;
  const std::string text = table_html(table);
  EXPECT_FALSE(holds(text, "<script"));
  EXPECT_TRUE(holds(text, "<th scope=\"row\">&lt;script&gt;alert(1)&lt;/script&gt;</th>"));
  EXPECT_TRUE(holds(text, "<th colspan=\"2\" scope=\"colgroup\">accuracy</th>"));
  EXPECT_TRUE(
      holds(text, "<td class=\"number best\" data-value=\"0.000136\"><strong>1.36e-4 ± 1.6e-5</strong>"));
  EXPECT_TRUE(holds(text, "<span class=\"reference\">[1.2e-4]</span>"));
  table.groups[0].rows[0][0] = "more than what fits on a line of its own, so that it wraps";
  EXPECT_TRUE(holds(table_html(table), "<th scope=\"row\" class=\"prose\">more than"));
}

}  // namespace
}  // namespace nouq::test
