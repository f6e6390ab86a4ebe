#include "plot/page.h"

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/temporary_folder.h"
#include "plot/assets.h"
#include "plot/sample_page.h"
#include "plot/typesetting.h"
#include "support/paths.h"

namespace nouq::test {
namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Prose, KnowsALittleMarkup) {
  EXPECT_EQ(prose_html("a `b<c` **d** [e](#f) & g"),
            "a <code>b&lt;c</code> <strong>d</strong> <a href=\"#f\">e</a> &amp; g");
  EXPECT_EQ(prose_html("** `` [x] (y) [a]()"), "** `` [x] (y) [a]()");
  EXPECT_EQ(prose_html("[p](results/run.json) [q](https://arxiv.org/abs/2403.10642)"),
            "<a href=\"results/run.json\">p</a> <a href=\"https://arxiv.org/abs/2403.10642\">q</a>");
}

TEST(Prose, LinksNeverRunOrLeaveUnseen) {
  for (const char* target : {"javascript:alert(1)", " javascript:x", "JAVASCRIPT:x", "data:text/html,x",
                             "//host/x", "http://host", "java\tscript:x", "\\\\host\\x"}) {
    EXPECT_FALSE(holds(prose_html(std::string("[x](") + target + ")"), "<a")) << target;
  }
  EXPECT_EQ(prose_html("[x](#a\"onclick=\"b)"), "<a href=\"#a&#34;onclick=&#34;b\">x</a>");
}

TEST(Words, ScriptsCannotBeLeft) {
  EXPECT_EQ(escape_script("{\"a\":\"</script><!--\"}"), "{\"a\":\"\\u003c/script>\\u003c!--\"}");
}

TEST(Words, BrokenBytesAreReplaced) {
  const std::string replaced = "\xef\xbf\xbd";
  EXPECT_EQ(printable("a\xc3"), "a" + replaced);
  EXPECT_EQ(printable("\xed\xa0\x80"), replaced + replaced + replaced) << "a lone surrogate";
  EXPECT_EQ(printable("\xc0\xaf"), replaced + replaced) << "an overlong slash";
  EXPECT_EQ(printable("ü∂😀"), "ü∂😀");
  for (const char* control : {"\u202e", "\u2066", "\u200f", "\u061c", "\u2028", "\u009b"})
    EXPECT_EQ(printable(std::string("a") + control + "b"), "a" + replaced + "b") << "turns or breaks a line";
  EXPECT_EQ(printable("\u2030\u00b2\u206a"), "\u2030\u00b2\u206a") << "their neighbours";
}

TEST(Page, NeedsASection) { EXPECT_ERROR(page_html({.title = "P"}), "page 'P' has no sections"); }

TEST(Page, HasEverythingInItAndNothingHostile) {
  for (const Interaction interaction : {Interaction::if_available, Interaction::none}) {
    std::string text = page_html(sample_page(), interaction);
    const auto bundle = text.find(assets::plotly);
    if (!assets::plotly.empty() && bundle != std::string::npos) text.erase(bundle, assets::plotly.size());
    EXPECT_FALSE(holds(text, "<script>alert"));
    EXPECT_TRUE(holds(text, "<h1>A report on &lt;script&gt;alert(1)&lt;/script&gt;</h1>"));
    EXPECT_TRUE(holds(text, "<b>Figure 6.</b> Members of the ensemble"));
    EXPECT_TRUE(holds(text, "<details id=\"settings\">"));
    EXPECT_TRUE(holds(text, "<dt>learning rate</dt><dd>1e-3</dd>"));
    EXPECT_TRUE(holds(text, "Content-Security-Policy"));
    EXPECT_TRUE(holds(text, "1.36e-4 ± 1.6e-5"));
    const std::string space = "http://www.w3.org/2000/svg";  // a name, not a place
    for (auto at = text.find(space); at != std::string::npos; at = text.find(space))
      text.erase(at, space.size());
    EXPECT_FALSE(holds(text, "http://"));
    EXPECT_FALSE(holds(text, "https://"));
  }
}

TEST(Page, HasContentsAndAWayBackToThemFromThreeSectionsOn) {
  Page page{.title = "P", .sections = {{"A"}, {"B"}}};
  EXPECT_FALSE(holds(page_html(page), "#contents"));
  page.sections.push_back({.title = "C", .id = "c"});
  const std::string text = page_html(page);
  EXPECT_TRUE(holds(text, "<nav id=\"contents\""));
  EXPECT_TRUE(holds(text, "<li><a href=\"#c\">C</a></li>"));
  EXPECT_TRUE(holds(text, "<section id=\"c\">\n<a class=\"up\" href=\"#contents\""));
}

TEST(Page, ComesAliveOnlyWithPlotly) {
  const std::string live = page_html(sample_page()), drawn = page_html(sample_page(), Interaction::none);
  EXPECT_EQ(holds(live, "class=\"plot\""), has_plotly());
  EXPECT_EQ(holds(live, "MIT licence"), has_plotly());
  EXPECT_FALSE(holds(drawn, "class=\"plot\""));
  EXPECT_FALSE(holds(drawn, "Plotly, Inc."));
  EXPECT_TRUE(holds(drawn, "class=\"drawing narrow\""));
}

TEST(Page, FilesAreBuiltInAsTheyAre) {
  EXPECT_EQ(assets::page_script, read_all(source_dir() + "/web/page.js"));
  EXPECT_EQ(assets::page_style, read_all(source_dir() + "/web/page.css"));
  if (!has_plotly()) GTEST_SKIP() << "built without Plotly";
  EXPECT_EQ(
      assets::plotly,
      read_all(source_dir() + "/web/node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js"));
  EXPECT_EQ(assets::plotly.find("</script"), std::string_view::npos) << "it would end its own element";
  EXPECT_EQ(assets::plotly.find("<!--"), std::string_view::npos);
}

TEST(Page, TheSamePageTwiceIsTheSameFile) {
  const TemporaryFolder folder;
  write_page(folder / "a.html", sample_page());
  write_page(folder / "b.html", sample_page());
  EXPECT_EQ(read_all(folder / "a.html"), read_all(folder / "b.html"));
}

}  // namespace
}  // namespace nouq::test
