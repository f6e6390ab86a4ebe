// Writes the sample page, as it is and with drawings only, and its figures as SVG and PNG: sample_report
// FOLDER.
#include <cstdio>
#include <filesystem>

#include "plot/picture.h"
#include "plot/sample_page.h"

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: sample_report FOLDER\n");
    return 2;
  }
  using namespace nouq::test;  // NOLINT: the program is nothing but samples
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  write_page(folder / "report.html", sample_page());
  write_page(folder / "drawings.html", sample_page(), Interaction::none);
  int number = 0;
  for (const Figure& figure :
       {band_figure(), curve_figure(), bar_figure(), points_figure(), map_figure(), weights_figure()}) {
    const std::string name = "figure-" + std::to_string(++number);
    write_svg(folder / (name + ".svg"), figure);
    if (!has_png()) continue;
    write_png(folder / (name + ".png"), figure);
    write_png(folder / (name + "-dark.png"), figure, {.theme = Theme::dark});
  }
  std::printf("%s\n", has_plotly() ? "interactive" : "drawings");
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
