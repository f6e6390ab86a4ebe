// How a training step grows: width, grid, modes, batch, axes, both architectures.
#include <cstdio>

#include <fmt/format.h>

#include "case.h"

namespace nouq::bench {
namespace {

struct Row {
  const char* architecture;
  const char* varied;
  Index width;
  Shape grid;
  std::vector<Index> modes;
  Index batch;
};

std::string by(const std::vector<Index>& numbers) {
  std::string text;
  for (const Index n : numbers) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

std::string name_of(const Row& r) {
  return fmt::format("{:<5} {:<6} {:>4} {:<9} {:<8} {:>3}", r.architecture, r.varied, r.width,
                     by({r.grid.begin(), r.grid.end()}), by(r.modes), r.batch);
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const Index w : {16, 24, 32, 48, 64, 96, 128})
    rows.push_back({"fno", "width", w, {100, 20}, {12, 12}, 20});
  for (const Index w : {16, 32, 64}) rows.push_back({"ffno", "width", w, {100, 20}, {12, 12}, 20});
  for (const char* architecture : {"fno", "ffno"}) {
    for (const Shape& g : {Shape{50, 20}, Shape{64, 64}, Shape{200, 40}, Shape{256, 256}})
      rows.push_back({architecture, "grid", 32, g, {12, 12}, 8});
  }
  for (const Index m : {6, 8, 16, 24})
    rows.push_back({"fno", "modes", 32, {100, 20}, {m, std::min<Index>(m, 15)}, 20});
  rows.push_back({"fno", "modes", 32, {100, 60}, {24, 24}, 8});
  rows.push_back({"ffno", "modes", 32, {100, 20}, {24, 15}, 20});
  for (const Index b : {1, 2, 4, 8, 16, 32}) rows.push_back({"fno", "batch", 32, {100, 20}, {12, 12}, b});
  for (const Index b : {1, 8}) rows.push_back({"ffno", "batch", 32, {100, 20}, {12, 12}, b});
  for (const Index n : {128, 1024, 8192}) rows.push_back({"fno", "1 axis", 32, {n}, {16}, 20});
  rows.push_back({"fno", "1 axis", 64, {1024}, {16}, 20});
  rows.push_back({"ffno", "1 axis", 32, {1024}, {16}, 20});
  for (const char* architecture : {"fno", "ffno"}) {
    for (const Index w : {16, 32}) rows.push_back({architecture, "3 axes", w, {32, 32, 16}, {6, 6, 6}, 8});
    rows.push_back({architecture, "3 axes", 32, {64, 64, 16}, {8, 8, 6}, 8});
  }
  return rows;
}

// Half of the best fraction of the peak is what every row is to reach from batch 8 on.
void print_row(const Row& r, const Request& request) {
  const NetworkOptions options = make_options(r.architecture, r.width, r.modes);
  Case one(options, r.grid, r.batch, 1);
  Times times;
  one.run(Work::step);
  for (double spent = 0; times.values.empty() || (spent < 600.0 && times.values.size() < 15);) {
    times.values.push_back(one.milliseconds(Work::step));
    spent += times.values.back();
  }
  const Cost cost = cost_of(options, r.grid, r.batch);
  const double rate = 1e-6 * cost.step_flops / times.best();
  std::printf("%s | %9.2f %9.2f %7.1f %4.0f%% | %8.1f %8.2f %6.1f\n", name_of(r).c_str(), times.best(),
              times.median(), rate, 100 * rate / request.peak, one.megabytes(), 1e-9 * cost.step_flops,
              1e-6 * cost.step_bytes / times.best());
  std::fflush(stdout);
}

}  // namespace

void print_growth_table(const Request& request) {
  std::printf(
      "\nHow a training step grows, one thread, 4 blocks. Rates are of the best time. MB: activations, weights and "
      "moments.\nGB/s: weights, moments and stored fields over the time; this machine streams %.1f GB/s.\n",
      request.bandwidth);
  std::printf("%-5s %-6s %4s %-9s %-8s %3s | %9s %9s %7s %5s | %8s %8s %6s\n", "", "varied", "W", "grid",
              "modes", "n", "best ms", "median", "GF/s", "peak", "MB", "GFLOP", "GB/s");
  for (const Row& row : all_rows()) {
    if (name_of(row).find(request.rows) != std::string::npos) print_row(row, request);
  }
}

}  // namespace nouq::bench
