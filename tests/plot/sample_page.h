// A page with everything in it, and a name that tries to break out of it.
#pragma once

#include "plot/page.h"
#include "plot/sample_figures.h"

namespace nouq::test {

inline const std::string hostile = "<script>alert(1)</script>";

inline Table sample_table() {
  Table table = {
      .title = "Porous medium equation",
      .caption = "Mean and standard deviation over five seeds; the best of each group is marked.",
      .columns = {{.header = "method"},
                  {.header = "MSE", .group = "accuracy", .best = Best::lowest},
                  {.header = "relative L2", .group = "accuracy", .best = Best::lowest},
                  {.header = "n-MeRCI",
                   .group = "calibration",
                   .notation = Notation::fixed,
                   .digits = 2,
                   .best = Best::lowest},
                  {.header = "coverage", .group = "calibration", .notation = Notation::fixed, .digits = 2}},
      .reference_name = "the paper"};
  const auto row = [](const char* name, double scale, double merci) {
    Row cells = {name, {1.7e-4 * scale, 2e-5 * scale}, {0.031 * scale, 0.002}, {merci, 0.04}, 0.93};
    cells[1].reference = 1.5e-4 * scale;
    cells[3].reference = merci + 0.03;
    cells[3].reference_spread = 0.02;
    return cells;
  };
  table.groups = {
      {"in domain", {row("Bayesian", 1, 0.31), row("ensemble", 0.8, 0.05), row("diverse", 0.9, 0.06)}},
      {"large shift", {row("Bayesian", 900, 0.81), row("ensemble", 700, 0.11), row("diverse", 650, 0.12)}}};
  mark_best(table);
  return table;
}

inline Page sample_page() {
  Page page = {
      .title = "A report on " + hostile,
      .summary = "Every kind of figure, table and block, with **bold**, `code` and a [link](#settings).",
      .footer = "Written by a test."};
  Figure named = curve_figure();
  named.title = "Training on " + hostile;
  std::get<Line>(named.panels[0].series[0]).name = "loss of " + hostile;
  page.sections = {
      {"Results", {Prose{"Lower is better throughout, except for coverage."}, sample_table(), bar_figure()}},
      {"Solutions", {band_figure(), map_figure()}},
      {"Training", {std::move(named), points_figure(), weights_figure()}},
      {"Settings",
       {Settings{"All settings", {{"data", hostile}, {"width", "32"}, {"learning rate", "1e-3"}}, "settings"},
        Code{"nouq train pme.h5 --method diverse -o pme.nouq\n"}}}};
  return page;
}

}  // namespace nouq::test
