// CSV: what is taken, and what is refused with its line.
#include "data/csv.h"

#include <gtest/gtest.h>

#include "support/message.h"

namespace nouq {
namespace {

using Cells = std::vector<std::string>;

std::vector<Cells> cells_of(const std::string& text) {
  const CsvTable table = read_csv(text, "t.csv");
  std::vector<Cells> rows;
  if (!table.header.empty()) rows.push_back(table.header);
  for (const CsvRow& row : table.rows) rows.push_back(row.cells);
  return rows;
}

std::string refusal(const std::string& text) {
  return test::message_of([&] { read_csv(text, "t.csv"); });
}

TEST(Csv, HeaderAndRows) {
  const CsvTable table = read_csv("file,k\na,1\nb,-2.5e3\n", "t.csv");
  EXPECT_EQ(table.header, (Cells{"file", "k"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1].line, 3);
  EXPECT_EQ(csv_number(table.rows[1], 1, "t.csv"), -2500.0);
  EXPECT_EQ(column_of(table, "k", "t.csv"), 1U);
}

TEST(Csv, ARowOfNumbersIsNoHeader) {
  EXPECT_TRUE(read_csv("1,2\n3,4\n", "t.csv").header.empty());
  EXPECT_EQ(read_csv("1,2\n3,4\n", "t.csv").rows.size(), 2U);
}

TEST(Csv, WhatPeopleWrite) {
  const std::vector<Cells> expected = {{"file", "k"}, {"a", "1"}, {"b", "2"}};
  EXPECT_EQ(cells_of("file,k\na,1\nb,2"), expected) << "no end of the last line";
  EXPECT_EQ(cells_of("file,k\r\na,1\r\nb,2\r\n"), expected);
  EXPECT_EQ(cells_of("\xEF\xBB\xBF"
                     "file;k\na;1\nb;2\n"),
            expected);
  EXPECT_EQ(cells_of("file\tk\na\t1\nb\t2\n"), expected);
  EXPECT_EQ(cells_of("# made by hand\n\nfile , k\n a,1 \n   \n# more\nb, 2\n\n"), expected);
  EXPECT_EQ(cells_of("\"file\",\"k\"\n\"a\" , 1\nb,\"2\"\n"), expected);
}

TEST(Csv, QuotesHoldAnything) {
  EXPECT_EQ(cells_of("name\n\"a \"\"b\"\", c\nd\"\nx\n"),
            (std::vector<Cells>{{"name"}, {"a \"b\", c\nd"}, {"x"}}));
  EXPECT_EQ(read_csv("n\n\"a\nb\"\nc\n", "t.csv").rows[1].line, 4) << "lines inside quotes count";
}

TEST(Csv, EmptyCells) {
  EXPECT_EQ(cells_of("a,b,c\n,,\n1,,3\n"),
            (std::vector<Cells>{{"a", "b", "c"}, {"", "", ""}, {"1", "", "3"}}));
}

TEST(Csv, MalformedTablesAreRefused) {
  EXPECT_EQ(refusal(""), "t.csv: holds no rows");
  EXPECT_EQ(refusal("# only a comment\n"), "t.csv: holds no rows");
  EXPECT_EQ(refusal("a,b\n1,2\n3\n"), "t.csv:3: has 1 cells, the rows before have 2");
  EXPECT_EQ(refusal("a,b\n\n1,2,\n"), "t.csv:3: has 3 cells, the rows before have 2");
  EXPECT_EQ(refusal("a,b\n\"1,2\n3,4\n"), "t.csv:2: a quote is opened and never closed");
  EXPECT_EQ(refusal("a,b\n\"1\"x,2\n"), "t.csv:2: column 1 goes on after its closing quote");
  EXPECT_EQ(refusal("a,a\n1,2\n"), "t.csv:1: two columns are called 'a'");
  EXPECT_EQ(refusal(std::string("a,b\n1,\0\n", 8)), "t.csv:2: holds a zero byte, so it is not text");
}

TEST(Csv, NamesAndNumbersAreAskedForByName) {
  const CsvTable table = read_csv("file,degree\na,x1\nb,1.0.0\nc,\n", "t.csv");
  EXPECT_EQ(test::message_of([&] { column_of(table, "degre", "t.csv"); }),
            "t.csv: has no column 'degre'; did you mean 'degree'?");
  EXPECT_EQ(test::message_of([&] { csv_number(table.rows[0], 1, "t.csv"); }),
            "t.csv:2: 'x1' in column 2 is not a number");
  EXPECT_NE(test::message_of([&] { csv_number(table.rows[1], 1, "t.csv"); }), "");
  EXPECT_NE(test::message_of([&] { csv_number(table.rows[2], 1, "t.csv"); }), "");
  EXPECT_EQ(test::message_of([&] { column_of(read_csv("1,2\n", "t.csv"), "k", "t.csv"); }),
            "t.csv: the first row is all numbers; write the names of the columns above it");
}

}  // namespace
}  // namespace nouq
