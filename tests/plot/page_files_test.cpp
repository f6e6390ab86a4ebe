#include <gtest/gtest.h>

#include "data/temporary_folder.h"
#include "plot/page.h"
#include "plot/picture.h"
#include "plot/sample_page.h"

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
  for (
      const char* part :
      {"# T\\_1\n", "With `code`.", "## A \\[b\\](#c)\n",
       "![\\[x\\](https://y) &lt;script&gt;alert(1)&lt;/script&gt;](figures/x-https-y-script-alert-1-script.svg)",
       ": \\*\\*loud\\*\\* \\`code\\` &lt;img&gt;\n", "s\\*:", "- n\\_1: \\`v\\`\n", "So **be** it."})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_NE(page_markdown(page, "my figures (1)")
                .find("](my%20figures%20%281%29/x-https-y-script-alert-1-script.svg)"),
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
  const Page page = {.title = "T", .sections = {{"S", {curve_figure(), points_figure()}}}};
  EXPECT_EQ(write_figures(folder / "f", page), 2U);
  for (const char* name : {"training", "cost-and-quality"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "f" / (std::string(name) + ".svg")));
    EXPECT_EQ(std::filesystem::exists(folder / "f" / (std::string(name) + ".png")), has_png());
  }
}

// The links of a text, in order; every file must be there, and no other.
TEST(PageFiles, NoTwoFiguresHaveOneName) {
  const auto titled = [](const std::string& title, const std::string& name = "") {
    Figure figure = curve_figure();
    figure.title = title;
    figure.name = name;
    return figure;
  };
  const Page page = {.title = "T",
                     .sections = {{"One", {titled("A 2"), titled("a"), titled("A!"), titled("k = 3.2", "k")}},
                                  {"Two", {titled(""), titled("a 2"), titled("\xc3\xa4")}},
                                  {"", {titled(std::string(200, 'x')), titled(std::string(300, 'x'))}}}};
  const std::string long_name(80, 'x');
  const TemporaryFolder folder;
  EXPECT_EQ(write_figures(folder / "f", page), 9U);
  const std::string text = page_markdown(page, "f");
  std::size_t at = 0;
  for (const std::string& name :
       {std::string("a-2"), std::string("a"), std::string("a-3"), std::string("k"), std::string("two"),
        std::string("a-2-2"), std::string("figure"), long_name, long_name + "-2"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "f" / (name + ".svg"))) << name;
    at = text.find("](f/" + name + ".svg)", at);
    ASSERT_NE(at, std::string::npos) << name << " in\n" << text;
  }
}

}  // namespace
}  // namespace nouq::test
