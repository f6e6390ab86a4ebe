// nouq project: makes a prediction of any framework obey constraints and bounds.
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include <nouq/files.h>

#include "argument_values.h"
#include "commands.h"
#include "constraint_options.h"
#include "core/error.h"
#include "output.h"
#include "prediction_files.h"
#include "projection.h"

namespace nouq::cli {
namespace {

struct ProjectCommand {
  PredictionFiles prediction;
  GridOptions grid;
  ConstraintOptions constraints;
  ProjectionArguments projection;
  std::filesystem::path output;
};

OptionTable project_table(ProjectCommand& options) {
  OptionTable table(
      "project", "make a prediction of any framework obey conservation laws and bounds",
      "The mean is corrected where its own uncertainty is largest, so that the constraints hold. "
      "Without bounds the variance shrinks accordingly; with bounds it may grow, see --fixed-variance and "
      "--variance-update. Arrays are NPY, NPZ, HDF5 or CSV; FILE:ARRAY picks one of several. The answer has "
      "the arrays mean, variance, std, and samples when there are some, in the given shapes, and "
      "per sample the largest residual before and after.");
  add_prediction_options(table, options.prediction);
  add_grid_options(table, options.grid);
  add_constraint_options(table, options.constraints);
  add_projection_options(table, options.projection);
  table.group("Answer");
  table.add("output", options.output, "where to: NAME.npz or NAME.h5").with_letter('o').as_required();
  table.example(
      "nouq project --mean m.npy --var v.npy --axes x=0:1,t=0:0.5 --constraint 'integral axis=x value=mass' "
      "--values mass.npz -o out.npz",
      "The mass over x is known at every time");
  table.example("nouq project --samples heads.npy --problem pme --param m=6.2 --bounded -o out.npz",
                "The law and the bounds of a built-in problem");
  table.example("nouq project --mean m.npy --std s.npy --data test.h5 --lower 0 -o out.npz",
                "The mass of a data set, and nothing below zero");
  return table;
}

// The grid that a problem has with so many points along its axes.
Grid grid_of_problem(const std::string& name, const Shape& fields) {
  ProblemOptions points;
  const auto problem = make_problem(name);
  const auto& domain = problem->description().domain;
  for (std::size_t a = 0; a < domain.size(); ++a)
    points["n" + domain[a].axis.name] = std::to_string(fields.at(a + 1));
  return make_problem(name, points)->default_grid();
}

std::size_t axis_count(const ProjectCommand& options, const DataSet* data) {
  if (data != nullptr) return data->grid.size();
  if (!options.grid.axes.empty()) return options.grid.axes.size();
  require(!options.constraints.problem.empty(),
          "the grid is not known: give --axes, as in --axes x=0:1,t=0:0.5, or --data or --problem");
  return make_problem(options.constraints.problem)->description().domain.size();
}

Grid grid_of(const ProjectCommand& options, const DataSet* data, const NamedValues& values,
             const Shape& fields) {
  if (!options.grid.axes.empty()) return make_grid(parse_axes(options.grid), values, fields);
  if (data == nullptr) return grid_of_problem(options.constraints.problem, fields);
  require_on_grid(data->grid, fields, options.grid.data.string());
  return data->grid;
}

NamedValues named_values(const ProjectCommand& options, const DataSet* data) {
  NamedValues values;
  for (const std::string& path : options.constraints.values) add_values_of(path, values);
  const std::string& mean = options.prediction.mean;
  if (!mean.empty()) add_values_of(parse_array_argument(mean).path, values);
  if (data != nullptr) values.insert(data->constraint_values.begin(), data->constraint_values.end());
  return values;
}

std::vector<NamedArray> arrays_of(const LoadedPrediction& prediction, const Projected& projected) {
  const auto list = [](const std::vector<double>& values) {
    return Array<double>({std::ssize(values)}, values);
  };
  const auto shaped = [](const Shape& shape, const Array<double>& values) {
    return Array<double>(shape, values.begin(), values.end());
  };
  std::vector<NamedArray> arrays = {{"mean", shaped(prediction.shape, projected.mean)},
                                    {"variance", shaped(prediction.shape, projected.variance)}};
  Array<double> deviation = arrays.back().values;
  for (double& value : deviation) value = std::sqrt(value);
  arrays.push_back({"std", std::move(deviation)});
  if (!projected.samples.empty())
    arrays.push_back({"samples", shaped(prediction.samples_shape, projected.samples)});
  arrays.push_back({"residual_before", list(projected.report.residual_before)});
  arrays.push_back({"residual_after", list(projected.report.residual_after)});
  if (!projected.report.variance_scale.empty())
    arrays.push_back({"variance_scale", list(projected.report.variance_scale)});
  return arrays;
}

// The files that are read.
std::vector<std::filesystem::path> inputs_of(const ProjectCommand& options) {
  std::vector<std::filesystem::path> inputs = {options.grid.data, options.constraints.file,
                                               options.constraints.noise_variance_from};
  inputs.insert(inputs.end(), options.constraints.values.begin(), options.constraints.values.end());
  std::vector<std::string> words = {options.prediction.mean,      options.prediction.variance,
                                    options.prediction.deviation, options.prediction.samples,
                                    options.constraints.lower,    options.constraints.upper};
  for (const std::string& text : options.constraints.constraints) {
    std::istringstream settings(text);
    for (std::string setting; settings >> setting;) words.push_back(split_once(setting, '=').second);
  }
  // Bounds and settings of constraints may be numbers, names or files; what is no file does no harm here.
  for (const std::string& word : words) {
    if (!word.empty()) inputs.push_back(parse_array_argument(word).path);
  }
  return inputs;
}

void run_project(const ProjectCommand& options, Output& output) {
  require_writable(options.output.string());
  require_free_output("--output", options.output, inputs_of(options));
  require(options.grid.axes.empty() || options.grid.data.empty(),
          "--axes and --data both give a grid: give one");
  std::optional<DataSet> loaded;
  if (!options.grid.data.empty()) loaded = read(options.grid.data.string());
  const DataSet* data = loaded ? &*loaded : nullptr;
  const LoadedPrediction prediction = load_prediction(options.prediction, axis_count(options, data));
  require(
      !prediction.variance.empty(),
      "the prediction has no uncertainty, which says where to correct it: give --var, --std or --samples");
  ConstraintSubject subject{{}, named_values(options, data), data};
  subject.grid = grid_of(options, data, subject.values, prediction.mean.shape());
  subject.channels = prediction.channels();
  const GivenConstraints given = make_constraints(options.constraints, subject, options.projection.bounded);
  const Projected projected = project(options.projection, given.all(), prediction);
  write_arrays(options.output.string(), arrays_of(prediction, projected));
  const Json summary = summarise(given, prediction, projected);
  print_summary(summary, output);
  std::string axes;
  for (const Axis& axis : subject.grid)
    axes += fmt::format("{}{} ({})", axes.empty() ? "" : ", ", axis.name, axis.size());
  output.say("{}: {} projected field{} of axes {}, {} channel{}", options.output.string(), prediction.count(),
             prediction.count() == 1 ? "" : "s", axes, prediction.channels(),
             prediction.channels() == 1 ? "" : "s");
  output.result(summary);
}

}  // namespace

Command project_command() { return make_command(project_table, run_project); }

}  // namespace nouq::cli
