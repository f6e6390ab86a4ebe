#include "report/page_files.h"

#include <gtest/gtest.h>

#include "data/temporary_folder.h"
#include "report/png.h"
#include "report/sample_page.h"

namespace nouq::test {
namespace {

TEST(PageFiles, NamesCannotBeMarkup) {
  Figure figure = curve_figure();
  figure.title = "[x](https://y) " + hostile;
  figure.caption = "**loud** `code` <img>";
  const Page page = {
      .title = "T_1",
      .summary = "With `code`.",
      .sections = {{"A [b](#c)", {figure, Settings{"s*", {{"n_1", "`v`"}}}, Prose{"So **be** it."}}}}};
  const std::string text = page_markdown(page, "figures");
  for (const char* part :
       {"# T\\_1\n", "With `code`.", "## A \\[b\\](#c)\n",
        "![\\[x\\](https://y) &lt;script&gt;alert(1)&lt;/script&gt;](figures/a-b-c--1.svg)",
        ": \\*\\*loud\\*\\* \\`code\\` &lt;img&gt;\n", "s\\*:", "- n\\_1: \\`v\\`\n", "So **be** it."})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_NE(page_markdown(page, "my figures (1)").find("](my%20figures%20%281%29/a-b-c--1.svg)"),
            std::string::npos);
}

TEST(PageFiles, ATableSaysItsCaptionOnce) {
  const Table table = {.caption = "Seen once.", .columns = {{.header = "a"}}, .groups = {{"", {{1.0}}}}};
  const std::string text = page_markdown({.title = "T", .sections = {{"S", {table}}}});
  const std::size_t first = text.find("Seen once.");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("Seen once.", first + 1), std::string::npos) << text;
}

TEST(PageFiles, PicturesComeAsDrawingsAndPixels) {
  const TemporaryFolder folder;
  const Page page = {.title = "T", .sections = {{"Training", {curve_figure(), points_figure()}}}};
  EXPECT_EQ(write_figures(folder / "f", page), 2U);
  for (const char* name : {"training-1", "training-2"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "f" / (std::string(name) + ".svg")));
    EXPECT_EQ(std::filesystem::exists(folder / "f" / (std::string(name) + ".png")), has_png());
  }
}

}  // namespace
}  // namespace nouq::test
