// The explorer's page as text; tests/plot/browser/check_explorer.py opens it in a browser.
#include "plot/explorer_page.h"

#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "plot/palette_text.h"

namespace nouq::plot {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

std::vector<std::string> all(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

TEST(ExplorerPage, HasEveryElementThatItsScriptAsksForOnce) {
  const std::string page = explorer_page();
  const auto ids = all(page, "[< ]id=\"([a-z0-9-]+)\"");
  const std::set<std::string> known(ids.begin(), ids.end());
  EXPECT_EQ(known.size(), ids.size()) << "two elements have the same id";
  const auto asked = all(page, "\\$\\(\"([a-z-]+)\"\\)");
  EXPECT_GT(asked.size(), 40);
  for (const std::string& id : asked) EXPECT_TRUE(known.contains(id)) << id;
}

TEST(ExplorerPage, AsksNobodyButItsServer) {
  const std::string page = explorer_page();
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("connect-src 'self'"), std::string::npos);
  EXPECT_EQ(count(page, "http"), count(page, "http://www.w3.org/") + count(page, "http-equiv"));
  EXPECT_EQ(count(page, "<script"), 3);
  EXPECT_EQ(count(page, "</script>"), 3);
}

// A control without a name is silent to who cannot see it.
TEST(ExplorerPage, LabelsItsControls) {
  const std::string page = explorer_page();
  for (const std::string& id : all(page, "<(?:input|select)[^>]* id=\"([a-z-]+)\"")) {
    const bool labelled = page.find("for=\"" + id + "\"") != std::string::npos;
    const std::regex own("<(?:label><input|input)[^>]*id=\"" + id + "\"[^>]*");
    std::smatch found;
    const bool named =
        std::regex_search(page, found, own) &&
        (found.str().starts_with("<label>") || found.str().find("aria-label") != std::string::npos);
    EXPECT_TRUE(labelled || named) << id;
  }
}

TEST(PaletteText, HasAllColoursForBothThemesAndPaper) {
  const std::string style = themes([](const std::string&, Theme) { return "/*more*/"; });
  EXPECT_EQ(count(style, "--blue:#0072b2;"), 3);  // light, chosen light, paper
  EXPECT_EQ(count(style, "--blue:#4fa8e0;"), 2);  // chosen dark, dark as the system is
  EXPECT_EQ(count(style, "/*more*/"), 5);
  EXPECT_NE(palette_json().find(R"("blue":["#0072b2","#4fa8e0"])"), std::string::npos);
  EXPECT_NE(scales_json().find(R"("sequential":["#440154")"), std::string::npos);
}

}  // namespace
}  // namespace nouq::plot
