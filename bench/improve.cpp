// How many runs of a solver the loop of nouq/improve.h saves, beside random and space-filling ones:
//
//   nouq_bench_improve CASE FIRST_SEED LAST_SEED [DESIGNS...] >> rows.txt
//   nouq_bench_improve figure rows.txt improve.svg
//
// CASE is gpme, darcy-field or front (four parameters). For every seed and design the loop begins with the
// same few random runs and goes on in batches; after each training the surrogate is asked about the same 200
// inputs, drawn at random over what is asked. Rows are: case, design, seed, all runs, mean relative error
// over the 200, that of the check runs, the error the model states, the share in domain, seconds. The second
// form draws the (geometric) means over seeds, and says with how many runs `suggest` reaches the error of the
// other designs.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <nouq/improve.h>
#include <nouq/prediction.h>
#include <nouq/problem_data.h>
#include <nouq/train.h>
#include <unistd.h>

#include "plot/figure.h"
#include "plot/picture.h"

namespace nouq {
namespace {

// u(x, t) of an advected front that spreads: four parameters.
double front(double x, double t, const double* p) {
  const double speed = p[0], width = p[1], place = p[2], decay = p[3];
  return std::exp(-decay * t) * 0.5 * (1 - std::tanh((x - place - speed * t) / width)) + 0.1;
}

struct Case {
  std::string name;
  std::vector<AskedRange> ranges, known;  // what is asked, and where there are runs to begin with
  std::unique_ptr<Problem> problem;       // or the front
  Index first = 10, budget = 60, batch = 10;
  TrainSettings train;

  [[nodiscard]] DataSet solved(DataSet data) const {
    Shape shape = shape_of(data.grid);
    const Index points = element_count(shape);
    shape.insert(shape.begin(), data.size());
    shape.push_back(1);
    data.outputs = Array<float>(shape);
    data.output_channels = {{"u", ""}};
    for (Index s = 0; s < data.size(); ++s) {
      if (problem) {
        const std::vector<double> input(data.inputs.row(s).begin(), data.inputs.row(s).end());
        std::vector<double> output(static_cast<std::size_t>(points)),
            mass(problem->has_mass_law() ? data.grid.back().coordinates.size() : 0);
        static const Solver solve = problem->solver(data.grid);
        solve({data.parameters[s], Stream(0, Purpose::fields)}, {input, output, mass});
        std::copy(output.begin(), output.end(), data.outputs.row(s).begin());
      } else {
        const auto& x = data.grid[0].coordinates;
        const auto& t = data.grid[1].coordinates;
        for (std::size_t i = 0; i < x.size(); ++i)
          for (std::size_t j = 0; j < t.size(); ++j)
            data.outputs[s * points + static_cast<Index>(i * t.size() + j)] =
                static_cast<float>(front(x[i], t[j], data.parameters.row(s).data()));
      }
    }
    return data;
  }

  // Inputs for a table of values, [n, parameters], and their stream's numbers.
  [[nodiscard]] DataSet question(const Array<double>& values, const std::vector<AskedRange>& box,
                                 std::uint64_t seed) const {
    if (problem) {
      GenerateSettings settings;
      settings.samples = values.extent(0);
      settings.seed = seed;
      settings.range = {box[0].low, box[0].high};
      DataSet data = draw(*problem, settings);
      data.constraint_values.clear();
      data.laws.clear();
      return data;
    }
    DataSet data;
    data.grid = {{"x", "", linspace(0, 1, 32)}, {"t", "", linspace(0, 1, 12)}};
    for (const AskedRange& r : ranges) data.parameter_names.push_back({r.name, ""});
    data.input_channels = data.parameter_names;
    data.parameters = values;
    const Index columns = values.extent(1);
    data.inputs = Array<float>({values.extent(0), 32, 12, columns});
    for (Index i = 0; i < data.inputs.size(); ++i)
      data.inputs[i] = static_cast<float>(values[i / (32 * 12 * columns) * columns + i % columns]);
    return data;
  }

  [[nodiscard]] DataSet random_runs(const std::vector<AskedRange>& box, Index count,
                                    std::uint64_t seed) const {
    Array<double> values({count, std::ssize(box)});
    for (Index i = 0; i < values.size(); ++i) {
      const AskedRange& r = box[static_cast<std::size_t>(i % std::ssize(box))];
      values[i] =
          r.low + (r.high - r.low) * Stream(seed, Purpose::tests, static_cast<std::uint64_t>(i)).uniform(0);
    }
    return solved(question(values, box, 1000 + seed));
  }
};

Case case_of(const std::string& name) {
  Case c;
  c.name = name;
  c.train.threads = 1;
  c.train.cross_folds = 0;
  c.train.batch = 5;
  c.train.options = {{"width", 12}, {"count", 5}};
  if (name == "gpme") {
    c.problem = make_problem("gpme", {{"nx", "32"}, {"nt", "12"}, {"cells", "150"}, {"steps", "200"}});
    c.ranges = {{"a", 1, 4}};
    c.known = {{"a", 1, 2}};
    c.first = 6;
    c.budget = 12;
    c.batch = 3;
    c.train.epochs = 500;
  } else if (name == "darcy-field") {
    c.problem = make_problem("darcy-field", {{"nx", "16"}, {"ny", "16"}});
    c.ranges = {{"tau", 3, 9}};
    c.known = {{"tau", 3, 4}};
    c.first = 16;
    c.budget = 64;
    c.batch = 16;
    c.train.epochs = 120;
  } else {
    c.ranges = {{"speed", 0, 0.6}, {"width", 0.05, 0.4}, {"place", 0.1, 0.4}, {"decay", 0, 1}};
    c.known = {{"speed", 0, 0.3}, {"width", 0.2, 0.4}, {"place", 0.1, 0.25}, {"decay", 0, 0.5}};
    c.first = 12;
    c.budget = 60;
    c.batch = 12;
    c.train.epochs = 250;
  }
  return c;
}

double error_of(const Model& model, const DataSet& test) {
  const Prediction p = predict(model, test, {false, 1});
  const Index size = p.mean.size() / test.size();
  double total = 0;
  for (Index s = 0; s < test.size(); ++s) {
    double error = 0, whole = 0;
    for (Index i = s * size; i < (s + 1) * size; ++i) {
      error += std::pow(p.mean[i] - double(test.outputs[i]), 2);
      whole += std::pow(double(test.outputs[i]), 2);
    }
    total += std::sqrt(error / whole);
  }
  return total / double(test.size());
}

void run(const Case& c, const std::string& design, std::uint64_t seed, const DataSet& test) {
  ImproveSettings s;
  s.ranges = c.ranges;
  s.budget = c.budget;
  s.batch = c.batch;
  s.design = design == "last" ? "suggest" : design;
  s.seed = seed + 1;
  s.train = c.train;
  s.train.seed = seed;
  s.retrain = design == "last" ? "last" : "anew";  // "last": as suggest, trained on from the model before
  ImproveProgress progress;
  const auto start = std::chrono::steady_clock::now();
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("nouq_bench_improve." + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  s.folder = folder.string();
  Index round = 0;
  progress.on_round = [&](const ImproveRound& r) {
    const std::string model = (folder / fmt::format("round{:04}.nouq", round++)).string();
    const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start;
    std::printf("%s %s %d %d %.5f %.5f %.5f %.2f %.1f\n", c.name.c_str(), design.c_str(), int(seed),
                int(r.runs + c.first), error_of(Model::load(model), test), r.error, r.expected, r.in_domain,
                t.count());
    std::fflush(stdout);
  };
  (void)improve(
      c.random_runs(c.known, c.first, 100 + seed), s,
      [&](const SolverRun& run) {
        DataSet solved = c.solved(run.question);
        return SolverAnswer{
            Array<double>(Shape(solved.outputs.shape().begin() + 1, solved.outputs.shape().end()),
                          std::vector<double>(solved.outputs.begin(), solved.outputs.end()))};
      },
      progress);
  std::filesystem::remove_all(folder);
}

// --- From rows to a figure ---------------------------------------------------------------------------------

using Curve = std::map<Index, std::vector<double>>;  // errors of the seeds, by the number of runs
using Curves = std::map<std::string, std::map<std::string, Curve>>;  // case, design

Curves read_rows(const std::string& path) {
  Curves curves;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, design;
    int seed = 0;
    Index runs = 0;
    double error = 0;
    if (words >> name >> design >> seed >> runs >> error) curves[name][design][runs].push_back(error);
  }
  return curves;
}

double mean_of(const std::vector<double>& errors) {
  double sum = 0;
  for (const double e : errors) sum += std::log(e);
  return std::exp(sum / static_cast<double>(errors.size()));
}

// The number of runs at which a curve comes down to an error, between its points; nothing where it never
// does.
double runs_to_reach(const Curve& curve, double error) {
  double before = 0, n_before = 0;
  for (const auto& [runs, errors] : curve) {
    const double now = mean_of(errors), n = static_cast<double>(runs);
    if (now <= error)
      return n_before == 0 ? n
                           : std::exp(std::log(n_before) + std::log(n / n_before) * std::log(before / error) /
                                                               std::log(before / now));
    before = now;
    n_before = n;
  }
  return std::nan("");
}

void draw_figure(const std::string& rows, const std::string& picture) {
  plot::Figure figure{.title = "Error against runs of the solver"};
  for (const auto& [name, designs] : read_rows(rows)) {
    plot::Panel panel{.title = name,
                      .x = {.label = "runs", .scale = plot::Scale::log},
                      .y = {.label = "relative error", .scale = plot::Scale::log}};
    for (const auto& [design, curve] : designs) {
      plot::Points points{.name = design, .joined = true};
      for (const auto& [runs, errors] : curve) {
        points.x.push_back(static_cast<double>(runs));
        points.y.push_back(mean_of(errors));
        std::printf("%-12s %-8s %4d runs  %.4f  (%zu seeds)", name.c_str(), design.c_str(),
                    static_cast<int>(runs), mean_of(errors), errors.size());
        if (design != "suggest" && designs.contains("suggest"))
          std::printf("  suggest: %.2f of the runs",
                      runs_to_reach(designs.at("suggest"), mean_of(errors)) / static_cast<double>(runs));
        std::printf("\n");
      }
      panel.series.emplace_back(points);
    }
    figure.panels.push_back(panel);
  }
  plot::write_figure(picture, figure);
}

}  // namespace
}  // namespace nouq

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  try {
    if (what == "figure" && argc == 4) {
      nouq::draw_figure(argv[2], argv[3]);
      return 0;
    }
    if (argc < 4 || (what != "gpme" && what != "darcy-field" && what != "front")) {
      std::fputs(
          "usage: nouq_bench_improve gpme|darcy-field|front FIRST_SEED LAST_SEED [DESIGNS...]\n"
          "       nouq_bench_improve figure ROWS PICTURE\n",
          stderr);
      return 2;
    }
    const nouq::Case c = nouq::case_of(what);
    const nouq::DataSet test = c.random_runs(c.ranges, 200, 7);
    std::vector<std::string> designs = {"suggest", "sobol", "random"};
    if (argc > 4) designs.assign(argv + 4, argv + argc);
    for (int seed = std::atoi(argv[2]); seed < std::atoi(argv[3]); ++seed)
      for (const std::string& design : designs) nouq::run(c, design, static_cast<std::uint64_t>(seed), test);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
