#include <algorithm>
#include <cmath>

#include <nouq/input_parameters.h>
#include <nouq/problem_data.h>

#include "core/error.h"

namespace nouq {
namespace {

// Which parameter of the table an input channel is, by name; nothing unless every channel is one.
std::vector<Index> columns_by_name(const Model& model) {
  std::vector<Index> columns;
  const auto& names = model.parameters();
  for (const Channel& channel : model.inputs()) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const Channel& c) { return c.name == channel.name; });
    if (found == names.end()) return {};
    columns.push_back(found - names.begin());
  }
  // A parameter that no input shows is one the model cannot be asked about.
  return columns.size() == names.size() ? columns : std::vector<Index>{};
}

InputParameter of_problem(const Problem& problem, const Model& model) {
  const Parameter& p = problem.description().parameter;
  InputParameter result{p.name, p.symbol, "", problem.range(Shift::in_domain), {}};
  if (const auto range = range_of(model.provenance())) result.trained = *range;
  result.range = result.trained;
  for (const Shift shift : all_shifts) {
    result.range.low = std::min(result.range.low, problem.range(shift).low);
    result.range.high = std::max(result.range.high, problem.range(shift).high);
  }
  // What is admissible is an open interval: a range that ends where it does would end with a refusal.
  const double inside = 0.01 * (result.range.high - result.range.low);
  if (result.range.low <= p.admissible.low) result.range.low = p.admissible.low + inside;
  if (result.range.high >= p.admissible.high) result.range.high = p.admissible.high - inside;
  return result;
}

InputParameter of_table(const Model& model, Index column) {
  const Channel& channel = model.parameters()[column];
  InputParameter result{channel.name, channel.name, channel.unit, {}, {}};
  const Array<double>& ranges = model.parameter_range();
  if (ranges.size() >= 2 * (column + 1)) result.trained = {ranges[2 * column], ranges[2 * column + 1]};
  const double half = 0.5 * (result.trained.high - result.trained.low);
  result.range = {result.trained.low - half, result.trained.high + half};
  return result;
}

double largest(std::span<const double> values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

// The derivative of a problem's input field by its parameter: differences in double of fourth order, with
// half the step until two of them agree.
class InputSlope {
 public:
  InputSlope(const Problem& problem, const Grid& grid, Index sample)
      : problem_(problem),
        make_(problem.inputs(grid)),
        stream_(0, Purpose::fields, static_cast<std::uint64_t>(sample)),  // as the samples of seed 0
        size_(element_count(shape_of(grid))) {}

  [[nodiscard]] std::vector<double> at(double parameter) const {
    const auto [low, high] = problem_.description().parameter.admissible;
    double step = 1e-2 * std::max(std::abs(parameter), 1e-3);
    step = std::min({step, (parameter - low) / 4, (high - parameter) / 4});
    std::vector<double> before = difference(parameter, step);
    for (int halvings = 0; halvings < 8; ++halvings) {
      step /= 2;
      std::vector<double> now = difference(parameter, step);
      std::vector<double> change = now;
      for (std::size_t i = 0; i < now.size(); ++i) change[i] -= before[i];
      if (largest(now) > 0 && largest(change) <= 1e-6 * largest(now)) return now;
      before = std::move(now);
    }
    const Parameter& p = problem_.description().parameter;
    fail(
        "the gradient by {} of the problem '{}' is not known: its input does not change smoothly with it; ask "
        "for the gradient by the input field",
        p.symbol, problem_.name());
  }

 private:
  [[nodiscard]] std::vector<double> input(double parameter) const {
    std::vector<double> field(size_);
    make_({parameter, stream_}, field);
    return field;
  }
  [[nodiscard]] std::vector<double> difference(double p, double h) const {
    const std::vector<double> near_high = input(p + h), near_low = input(p - h);
    const std::vector<double> far_high = input(p + 2 * h), far_low = input(p - 2 * h);
    std::vector<double> slope(size_);
    for (std::size_t i = 0; i < slope.size(); ++i)
      slope[i] = (8 * (near_high[i] - near_low[i]) - (far_high[i] - far_low[i])) / (12 * h);
    return slope;
  }

  const Problem& problem_;
  InputMaker make_;
  Stream stream_;
  std::size_t size_;
};

}  // namespace

bool InputParameters::known(const Model& model) {
  return problem_of(model.provenance()) != nullptr || !columns_by_name(model).empty();
}

InputParameters::InputParameters(const Model& model)
    : problem_(problem_of(model.provenance())),
      grid_(model.grid()),
      channels_(model.inputs()),
      outputs_(model.outputs()),
      bounds_(model.bounds()),
      provenance_(model.provenance()) {
  if (problem_) {
    list_ = {of_problem(*problem_, model)};
    list_.front().unit = model.parameters().empty() ? "" : model.parameters().front().unit;
    column_of_channel_ = {0};
    require(channels_.size() == 1, "a model of the problem '{}' with {} input channels: expected 1",
            problem_->name(), channels_.size());
    return;
  }
  column_of_channel_ = columns_by_name(model);
  require(!column_of_channel_.empty(),
          "the inputs of this model are fields, not functions of parameters: expected a model of a built-in "
          "problem, or of data whose table of parameters names every input channel");
  for (Index column = 0; column < std::ssize(model.parameters()); ++column)
    list_.push_back(of_table(model, column));
}

void InputParameters::check(const Array<double>& values) const {
  require(values.rank() == 2 && values.extent(0) >= 1 && values.extent(1) == std::ssize(list_),
          "values of parameters of shape {}: expected [samples, {}]", to_string(values.shape()),
          list_.size());
  for (Index i = 0; i < values.size(); ++i)
    require(std::isfinite(values[i]), "parameter {} = {}: expected a finite number",
            list_[i % list_.size()].symbol, values[i]);
}

Array<float> InputParameters::inputs(const Array<double>& values) const { return question(values).inputs; }

DataSet InputParameters::question(const Array<double>& values, bool law) const {
  check(values);
  if (problem_) {
    DataSet data = unsolved(*problem_, values.span(), grid_, law);
    data.provenance = provenance_;  // bounds depend on the problem's options
    return data;
  }
  DataSet data;
  data.grid = grid_;
  data.input_channels = channels_;
  data.output_channels = outputs_;
  data.parameters = values;
  for (const InputParameter& one : list_) data.parameter_names.push_back({one.name, one.unit});
  data.bounds = bounds_;
  data.provenance = provenance_;
  Shape shape = shape_of(grid_);
  const Index points = element_count(shape), channels = std::ssize(channels_), count = values.extent(0);
  shape.insert(shape.begin(), count);
  shape.push_back(channels);
  data.inputs = Array<float>(shape);
  for (Index i = 0; i < data.inputs.size(); ++i) {
    const Index sample = i / (points * channels);
    data.inputs[i] = static_cast<float>(values[sample * values.extent(1) + column_of_channel_[i % channels]]);
  }
  return data;
}

Array<double> InputParameters::derivative(const Array<double>& values, Index sample, Index parameter) const {
  check(values);
  require(sample >= 0 && sample < values.extent(0), "sample {}: there are {}, numbered from 0", sample,
          values.extent(0));
  require(parameter >= 0 && parameter < std::ssize(list_), "parameter {}: there are {}, numbered from 0",
          parameter, list_.size());
  Shape shape = shape_of(grid_);
  const Index channels = std::ssize(channels_);
  shape.push_back(channels);
  Array<double> result(shape);
  if (problem_ && problem_->description().input_kind == InputKind::function) {
    problem_->check_parameter(values[sample]);
    const std::vector<double> slope = InputSlope(*problem_, grid_, sample).at(values[sample]);
    std::copy(slope.begin(), slope.end(), result.begin());
    return result;
  }
  for (Index i = 0; i < result.size(); ++i)
    result[i] = column_of_channel_[i % channels] == parameter ? 1.0 : 0.0;
  return result;
}

}  // namespace nouq
