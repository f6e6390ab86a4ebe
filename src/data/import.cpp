#include "data/import.h"

#include "core/error.h"
#include "core/names.h"
#include "data/array_file.h"
#include "data/file_format.h"
#include "data/layout.h"

namespace nouq {
namespace {

// Puts runs behind each other, each like the first.
class Collector {
 public:
  // Throws when the run differs from the first one in anything but values.
  void add(ImportedRun run, const PlannedRun& planned) {
    if (runs_ == 0) {
      first_name_ = planned.name;
      first_ = run;
    }
    require_alike(run);
    inputs_.insert(inputs_.end(), run.inputs.begin(), run.inputs.end());
    outputs_.insert(outputs_.end(), run.outputs.begin(), run.outputs.end());
    parameters_.insert(parameters_.end(), planned.parameters.begin(), planned.parameters.end());
    for (const auto& [name, values] : run.constraints) {
      auto& all = constraints_[name];
      all.insert(all.end(), values.begin(), values.end());
    }
    ++runs_;
  }

  [[nodiscard]] Index runs() const { return runs_; }

  DataSet finish(const std::vector<Channel>& parameter_names) {
    DataSet data;
    data.grid = first_.grid;
    data.output_channels = first_.output_channels;
    data.outputs = field(outputs_, data.output_channels);
    data.parameter_names = parameter_names;
    if (!parameter_names.empty()) data.parameters = {{runs_, std::ssize(parameter_names)}, parameters_};
    const bool from_parameters = first_.input_channels.empty();
    data.input_channels = from_parameters ? parameter_names : first_.input_channels;
    data.inputs = from_parameters ? field(constant_fields(data.parameters), data.input_channels)
                                  : field(inputs_, data.input_channels);
    for (auto& [name, values] : constraints_) {
      Shape shape = first_.constraints.at(name).shape();
      shape.insert(shape.begin(), runs_);
      if (shape.size() == 1) shape.push_back(1);
      data.constraint_values[name] = {shape, values};
    }
    return data;
  }

 private:
  void require_alike(const ImportedRun& run) const {
    require(run.shape == first_.shape, "has a grid of {}, the first run ({}) has {}", to_string(run.shape),
            first_name_, to_string(first_.shape));
    require(run.grid == first_.grid, "its coordinates differ from those of the first run ({})", first_name_);
    require(run.input_channels == first_.input_channels && run.output_channels == first_.output_channels,
            "has other channels than the first run ({})", first_name_);
    for (const auto& [name, values] : run.constraints) {
      const Shape& expected = first_.constraints.at(name).shape();
      require(values.shape() == expected, "values of constraint '{}' have shape {}, in the first run ({}) {}",
              name, to_string(values.shape()), first_name_, to_string(expected));
    }
  }

  [[nodiscard]] Array<float> field(const std::vector<float>& values,
                                   const std::vector<Channel>& channels) const {
    Shape shape = {runs_};
    shape.insert(shape.end(), first_.shape.begin(), first_.shape.end());
    shape.push_back(std::ssize(channels));
    return {shape, values};
  }

  // Each parameter as a channel that is the same everywhere.
  [[nodiscard]] std::vector<float> constant_fields(const Array<double>& parameters) const {
    const Index points = element_count(first_.shape);
    std::vector<float> values;
    values.reserve(points * parameters.size());
    for (Index run = 0; run < runs_; ++run) {
      const auto row = parameters.row(run);
      for (Index point = 0; point < points; ++point) {
        for (const double value : row) values.push_back(static_cast<float>(value));
      }
    }
    return values;
  }

  ImportedRun first_;
  std::string first_name_;
  Index runs_ = 0;
  std::vector<float> inputs_;
  std::vector<float> outputs_;
  std::vector<double> parameters_;
  std::map<std::string, std::vector<double>> constraints_;
};

std::size_t channel_of(const DataSet& data, const std::string& name) {
  std::vector<std::string> names;
  for (const Channel& channel : data.output_channels) {
    if (channel.name == name) return names.size();
    names.push_back(channel.name);
  }
  fail_unknown_name("output", name, names);
}

void add_laws(const ImportOptions& options, DataSet& data) {
  for (const auto& [name, law] : options.laws) {
    const std::size_t channel = law.output.empty() ? 0 : channel_of(data, law.output);
    data.laws[name] = {law.axes, static_cast<Index>(channel)};
  }
}

void add_bounds(const ImportOptions& options, DataSet& data) {
  if (options.bounds.empty()) return;
  const auto all = options.bounds.find("");
  data.bounds.assign(data.output_channels.size(), all == options.bounds.end() ? Bounds{} : all->second);
  for (const auto& [name, bounds] : options.bounds) {
    if (!name.empty()) data.bounds[channel_of(data, name)] = bounds;
  }
}

}  // namespace

DataSet import_runs(const ImportOptions& options, ImportReport& report) {
  require(!options.inputs.empty() || !options.table.empty(),
          "{}: nothing says what the inputs are: give a table of parameters or names of input arrays",
          options.folder.string());
  std::optional<StackedFile> stacked;
  if (std::filesystem::is_regular_file(options.folder)) stacked.emplace(options);
  const ImportPlan plan = plan_import(options, stacked ? stacked->samples() : 0, report);
  Collector collector;
  std::string first_failure;
  for (const PlannedRun& planned : plan.runs) {
    try {
      const auto file = planned.row ? stacked->run(*planned.row) : open_run_file(planned.file);
      collector.add(read_run(*file, options), planned);
      report.read.push_back(planned.name);
    } catch (const Error& error) {
      // A disk that fails says nothing about the run.
      if (error.kind() == Error::Kind::failure) throw;
      report.skipped.push_back({planned.name, error.what()});
      if (first_failure.empty()) first_failure = planned.name + ": " + error.what();
    }
  }
  require(!plan.runs.empty(), "{}: no row of {} fits a file there", options.folder.string(),
          options.table.string());
  require(collector.runs() > 0, "{}: none of {} runs could be used; the first, {}", options.folder.string(),
          plan.runs.size(), first_failure);
  DataSet data = collector.finish(plan.parameter_names);
  LoadReport loaded;
  layout::fill_defaults(data, options.folder.string(), &loaded);
  report.notices.insert(report.notices.end(), loaded.notices.begin(), loaded.notices.end());
  add_laws(options, data);
  add_bounds(options, data);
  validate(data, options.folder.string());
  return data;
}

}  // namespace nouq
