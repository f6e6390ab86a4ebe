// The C interface: nothing but translation. Handles become objects, nouq_arrays become views, exceptions
// become a status and a message.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include <nouq/gradient.h>
#include <nouq/metrics.h>
#include <nouq/nouq.h>
#include <nouq/project.h>
#include <nouq/train.h>
#include <nouq/version.h>

#include "api/handles.h"
#include "api/strided_copy.h"
#include "core/error.h"

namespace nouq {
namespace {

// Never destroyed: another thread may still call while the program ends.
HandleTable<Model>& models() {
  static auto& table = *new HandleTable<Model>(1);
  return table;
}
HandleTable<const Constraints>& constraint_sets() {
  static auto& table = *new HandleTable<const Constraints>(2);
  return table;
}

// Copies of the caller's arrays, by name.
struct NamedArrays {
  std::mutex mutex;
  std::map<std::string, Array<double>> arrays;
};
HandleTable<NamedArrays>& array_sets() {
  static auto& table = *new HandleTable<NamedArrays>(4);
  return table;
}

// A data set that is only ever replaced as a whole: calls under way keep the one they began with.
class SharedData {
 public:
  explicit SharedData(DataSet data) : data_(std::make_shared<const DataSet>(std::move(data))) {}
  [[nodiscard]] std::shared_ptr<const DataSet> get() const {
    const std::lock_guard lock(mutex_);
    return data_;
  }
  void replace(DataSet data) {
    auto next = std::make_shared<const DataSet>(std::move(data));
    const std::lock_guard lock(mutex_);
    data_.swap(next);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const DataSet> data_;
};

HandleTable<SharedData>& data_sets() {
  static auto& table = *new HandleTable<SharedData>(3);
  return table;
}

// Of fixed length, so that reporting an error needs no memory.
thread_local char last_error[1024] = "";

nouq_status report(nouq_status status, const char* message) {
  std::strncpy(last_error, message, sizeof last_error - 1);
  return status;
}

struct BadHandle {
  const char* what;
};

template <class Body>
nouq_status guarded(Body&& body) {
  try {
    body();
    return NOUQ_OK;
  } catch (const BadHandle& bad) {
    return report(NOUQ_BAD_HANDLE, bad.what);
  } catch (const Cancelled& cancelled) {
    return report(NOUQ_CANCELLED, cancelled.what());
  } catch (const Error& error) {
    return report(error.kind() == Error::Kind::user ? NOUQ_BAD_REQUEST : NOUQ_FAILURE, error.what());
  } catch (const std::bad_alloc&) {
    return report(NOUQ_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& exception) {
    return report(NOUQ_FAILURE, exception.what());
  } catch (...) {
    return report(NOUQ_FAILURE, "unknown failure");
  }
}

constexpr const char* no_model = "there is no model of this handle: never loaded, or freed already";
constexpr const char* no_constraints =
    "there are no constraints of this handle: never made, or freed already";

constexpr const char* no_arrays = "there are no arrays of this handle: never made, or freed already";

std::shared_ptr<NamedArrays> find_arrays(nouq_arrays handle) {
  auto arrays = array_sets().find(handle);
  if (arrays == nullptr) throw BadHandle{no_arrays};
  return arrays;
}

std::shared_ptr<const Constraints> find_constraints(nouq_constraints handle) {
  auto set = constraint_sets().find(handle);
  if (set == nullptr) throw BadHandle{no_constraints};
  return set;
}

// What the action makes of the arrays; they do not change meanwhile.
template <class Action>
Constraints with_arrays(nouq_arrays handle, Action&& action) {
  if (handle == 0) return action(NamedInputs{});
  const auto named = find_arrays(handle);
  const std::lock_guard lock(named->mutex);
  NamedInputs inputs;
  for (const auto& [name, array] : named->arrays)
    inputs.emplace(name, Input(array.data(), Layout(array.shape(), Order::row_major)));
  return action(inputs);
}

constexpr const char* no_data = "there is no data set of this handle: never made, or freed already";

std::shared_ptr<SharedData> find_data(nouq_data handle) {
  auto data = data_sets().find(handle);
  if (data == nullptr) throw BadHandle{no_data};
  return data;
}

std::shared_ptr<Model> find_model(nouq_model handle) {
  auto model = models().find(handle);
  if (model == nullptr) throw BadHandle{no_model};
  return model;
}

template <class T>
T& required(T* pointer, const char* name) {
  require(pointer != nullptr, "{} is a null pointer", name);
  return *pointer;
}

const char* required_text(const char* text, const char* name) { return &required(text, name); }

template <class Void>
Strided<Void> view(const nouq_array* array) {
  Strided<Void> strided;
  if (array == nullptr) return strided;
  strided.data = array->data;
  strided.type = static_cast<Real>(array->type);
  strided.layout.rank = array->rank;
  std::copy_n(array->extent, NOUQ_MAX_RANK, strided.layout.extent.begin());
  std::copy_n(array->stride, NOUQ_MAX_RANK, strided.layout.stride.begin());
  return strided;
}
Input input(const nouq_array* array) { return view<const void>(array); }

// An output that is asked for must have memory; one that is not is NULL.
Output output(const nouq_array* array, const char* name) {
  require(array == nullptr || array->data != nullptr, "{} has no memory (its data is a null pointer)", name);
  return view<void>(array);
}

nouq_array dense(const void* data, int32_t type, int32_t rank, const int64_t* extents, Order order) {
  nouq_array array = {};
  array.data = const_cast<void*>(data);
  array.type = type;
  array.rank = -1;
  if (extents == nullptr || rank < 0 || rank > NOUQ_MAX_RANK) return array;
  guarded([&] {
    const Layout layout({extents, static_cast<std::size_t>(rank)}, order);
    std::copy(layout.extent.begin(), layout.extent.end(), array.extent);
    std::copy(layout.stride.begin(), layout.stride.end(), array.stride);
    array.rank = rank;
  });
  return array;
}

Array<float> single(const char* name, const nouq_array* array) {
  const Array<double> wide = to_array(name, input(&required(array, name)));
  return {wide.shape(), wide.begin(), wide.end()};
}

std::vector<Channel> channels_of(const Array<float>& fields, const char* name) {
  require(fields.rank() > 0, "{}: expected an array [samples, axes..., channels]", name);
  std::vector<Channel> channels;
  for (Index c = 0; c < fields.shape().back(); ++c)
    channels.push_back({c == 0 ? name : fmt::format("{}{}", name, c), ""});
  return channels;
}

Grid grid_of(int32_t axes, const nouq_axis* given) {
  require(axes >= 1 && axes <= 3, "{} axes: expected 1 to 3", axes);
  Grid grid;
  for (int32_t a = 0; a < axes; ++a) {
    const nouq_axis& axis = (&required(given, "grid"))[a];
    require(axis.count >= 1, "axis {} has {} coordinates: expected at least 1", a, axis.count);
    require(axis.kind >= NOUQ_POINTS && axis.kind <= NOUQ_PERIODIC,
            "kind of axis {} = {}: expected NOUQ_POINTS, NOUQ_CELLS or NOUQ_PERIODIC", a, axis.kind);
    const double* first = &required(axis.coordinates, "coordinates");
    grid.push_back({required_text(axis.name, "the name of an axis"),
                    axis.unit == nullptr ? "" : axis.unit,
                    {first, first + axis.count},
                    static_cast<AxisKind>(axis.kind)});
  }
  return grid;
}

Progress progress_of(nouq_progress tell, void* user) {
  Progress progress;
  if (tell == nullptr) return progress;
  progress.on_epoch = [tell, user](const EpochReport& e) {
    const nouq_epoch epoch{e.network, e.networks, e.epoch, e.epochs, e.train_loss, e.validation_loss};
    return tell(&epoch, user) == 0;
  };
  return progress;
}

Known known_of(nouq_arrays handle) {
  Known known;
  if (handle == 0) return known;
  const auto named = find_arrays(handle);
  const std::lock_guard lock(named->mutex);
  known.values = named->arrays;
  if (auto parameters = known.values.extract("parameters")) known.parameters = std::move(parameters.mapped());
  return known;
}

void write_reasons(const std::vector<Trust>& judged, const nouq_trust& wanted) {
  std::string text;
  for (const Trust& one : judged) text += fmt::format("{}\n", fmt::join(one.reasons, "; "));
  require(std::ssize(text) < wanted.reasons_size, "room for {} characters of reasons: {} are needed",
          wanted.reasons_size, text.size() + 1);
  std::copy(text.begin(), text.end(), wanted.reasons);
  wanted.reasons[text.size()] = '\0';
}

nouq_info describe(const ModelInfo& model) {
  nouq_info info = {};
  info.axes = static_cast<int32_t>(model.axes.size());
  for (std::size_t a = 0; a < std::min<std::size_t>(3, model.axes.size()); ++a)
    info.extent[a] = static_cast<int64_t>(model.axes[a].coordinates.size());
  info.input_channels = static_cast<int32_t>(model.inputs.size());
  info.output_channels = static_cast<int32_t>(model.outputs.size());
  info.members = model.members;
  info.has_trust = model.has_trust ? 1 : 0;
  return info;
}

}  // namespace
}  // namespace nouq

using namespace nouq;

const char* nouq_version() { return NOUQ_VERSION; }

const char* nouq_last_error() { return last_error; }

nouq_array nouq_row_major(const void* data, int32_t type, int32_t rank, const int64_t* extents) {
  return dense(data, type, rank, extents, Order::row_major);
}

nouq_array nouq_column_major(const void* data, int32_t type, int32_t rank, const int64_t* extents) {
  return dense(data, type, rank, extents, Order::column_major);
}

nouq_status nouq_load(const char* path, nouq_model* model) {
  return guarded([&] {
    required(model, "model") = 0;
    *model = models().insert(std::make_shared<Model>(Model::load(required_text(path, "path"))));
  });
}

nouq_status nouq_free(nouq_model model) {
  return guarded([&] {
    if (models().remove(model) == nullptr) throw BadHandle{no_model};
  });
}

nouq_status nouq_describe(nouq_model model, nouq_info* info) {
  return guarded([&] { required(info, "info") = describe(find_model(model)->info()); });
}

nouq_status nouq_coordinates(nouq_model model, int32_t axis, double* coordinates, int64_t count) {
  return guarded([&] {
    const ModelInfo info = find_model(model)->info();
    require(axis >= 0 && axis < static_cast<int32_t>(info.axes.size()), "axis {}: the model has {}", axis,
            info.axes.size());
    const auto& values = info.axes[axis].coordinates;
    require(count == static_cast<int64_t>(values.size()), "room for {} coordinates: axis {} has {}", count,
            axis, values.size());
    std::copy(values.begin(), values.end(), &required(coordinates, "coordinates"));
  });
}

nouq_status nouq_set_threads(nouq_model model, int32_t threads) {
  return guarded([&] { find_model(model)->set_threads(threads); });
}

nouq_status nouq_predict(nouq_model model, const nouq_array* inputs, const nouq_array* mean,
                         const nouq_array* deviation, const nouq_array* samples, double* score,
                         int32_t* verdict) {
  return guarded([&] {
    find_model(model)->predict(input(inputs), {output(mean, "mean"), output(deviation, "deviation"),
                                               output(samples, "samples"), score, verdict});
  });
}

nouq_status nouq_predict_band(nouq_model model, const nouq_array* inputs, const nouq_array* mean,
                              const nouq_array* deviation, const nouq_array* samples, const nouq_array* band,
                              double* score, int32_t* verdict) {
  return guarded([&] {
    find_model(model)->predict(
        input(inputs), {output(mean, "mean"), output(deviation, "deviation"), output(samples, "samples"),
                        score, verdict, output(band, "band")});
  });
}

nouq_status nouq_predict_trust(nouq_model model, const nouq_array* inputs, uint64_t known,
                               const nouq_array* mean, const nouq_array* deviation, const nouq_array* samples,
                               const nouq_trust* trust) {
  return guarded([&] {
    const nouq_trust& wanted = required(trust, "trust");
    require(wanted.reasons == nullptr || wanted.reasons_size >= 1, "room for {} characters of reasons",
            wanted.reasons_size);
    const Known besides = known_of(known);
    std::vector<Trust> judged;
    Outputs outputs{output(mean, "mean"), output(deviation, "deviation"), output(samples, "samples"),
                    wanted.score, wanted.verdict};
    outputs.witnesses = wanted.witnesses;
    outputs.known = &besides;
    if (wanted.reasons != nullptr) outputs.trust = &judged;
    find_model(model)->predict(input(inputs), outputs);
    if (wanted.reasons != nullptr) write_reasons(judged, wanted);
  });
}

nouq_status nouq_band_coverage(nouq_model model, double* coverage) {
  return guarded([&] { required(coverage, "coverage") = find_model(model)->info().band_coverage; });
}

nouq_status nouq_gradient(nouq_model model, const nouq_array* inputs, const nouq_array* sensitivity,
                          const nouq_array* gradient) {
  return guarded([&] {
    nouq::gradient(*find_model(model), input(&required(inputs, "inputs")),
                   input(&required(sensitivity, "sensitivity")),
                   output(&required(gradient, "gradient"), "gradient"));
  });
}

nouq_status nouq_derivative(nouq_model model, const nouq_array* inputs, const nouq_array* direction,
                            const nouq_array* derivative) {
  return guarded([&] {
    nouq::derivative(*find_model(model), input(&required(inputs, "inputs")),
                     input(&required(direction, "direction")),
                     output(&required(derivative, "derivative"), "derivative"));
  });
}

nouq_status nouq_parameter_gradient(nouq_model model, const nouq_array* values, const nouq_array* sensitivity,
                                    const nouq_array* gradient) {
  return guarded([&] {
    nouq::parameter_gradient(*find_model(model), input(&required(values, "values")),
                             input(&required(sensitivity, "sensitivity")),
                             output(&required(gradient, "gradient"), "gradient"));
  });
}

nouq_status nouq_parameter_derivative(nouq_model model, const nouq_array* values, const nouq_array* direction,
                                      const nouq_array* derivative) {
  return guarded([&] {
    nouq::parameter_derivative(*find_model(model), input(&required(values, "values")),
                               input(&required(direction, "direction")),
                               output(&required(derivative, "derivative"), "derivative"));
  });
}

nouq_status nouq_save(nouq_model model, const char* path) {
  return guarded([&] { find_model(model)->save(required_text(path, "path")); });
}

nouq_status nouq_data_from_arrays(int32_t axes, const nouq_axis* grid, const nouq_array* inputs,
                                  const nouq_array* outputs, nouq_data* data) {
  return guarded([&] {
    required(data, "data") = 0;
    DataSet set;
    set.grid = grid_of(axes, grid);
    set.inputs = single("inputs", inputs);
    set.outputs = single("outputs", outputs);
    set.input_channels = channels_of(set.inputs, "a");
    set.output_channels = channels_of(set.outputs, "u");
    validate(set, "arrays");
    *data = data_sets().insert(std::make_shared<SharedData>(std::move(set)));
  });
}

nouq_status nouq_data_set_values(nouq_data data, const char* name, const nouq_array* values) {
  return guarded([&] {
    const auto shared = find_data(data);
    DataSet changed = *shared->get();
    changed.constraint_values[required_text(name, "name")] =
        to_array("values", input(&required(values, "values")));
    validate(changed, "arrays");
    shared->replace(std::move(changed));
  });
}

nouq_status nouq_data_read(const char* path, nouq_data* data) {
  return guarded([&] {
    required(data, "data") = 0;
    *data = data_sets().insert(std::make_shared<SharedData>(read(required_text(path, "path"))));
  });
}

nouq_status nouq_data_write(nouq_data data, const char* path) {
  return guarded([&] { write(required_text(path, "path"), *find_data(data)->get()); });
}

nouq_status nouq_data_samples(nouq_data data, int64_t* samples) {
  return guarded([&] { required(samples, "samples") = find_data(data)->get()->size(); });
}

nouq_status nouq_data_free(nouq_data data) {
  return guarded([&] {
    if (data_sets().remove(data) == nullptr) throw BadHandle{no_data};
  });
}

nouq_status nouq_train(nouq_data data, const char* settings, nouq_progress progress, void* user,
                       nouq_model* model) {
  return guarded([&] {
    required(model, "model") = 0;
    const auto set = find_data(data)->get();
    const TrainSettings wanted = settings_from_toml(settings == nullptr ? "" : settings);
    *model = models().insert(std::make_shared<Model>(train(*set, wanted, progress_of(progress, user))));
  });
}

nouq_status nouq_integral(nouq_model model, const char* axis, const char* rule, int64_t channel,
                          double noise_variance, const nouq_array* values, nouq_constraints* constraints) {
  return guarded([&] {
    required(constraints, "constraints") = 0;
    const IntegralOptions options{rule == nullptr ? "automatic" : rule, channel, noise_variance};
    *constraints = constraint_sets().insert(std::make_shared<const Constraints>(
        Constraints::integral(*find_model(model), required_text(axis, "axis"), input(values), options)));
  });
}

nouq_status nouq_sparse(int64_t points, int64_t entries, const int64_t* rows, const int64_t* places,
                        const double* weights, double noise_variance, const nouq_array* values,
                        nouq_constraints* constraints) {
  return guarded([&] {
    required(constraints, "constraints") = 0;
    require(entries >= 0, "{} entries: expected at least none", entries);
    const std::size_t count = entries;
    *constraints = constraint_sets().insert(std::make_shared<const Constraints>(
        Constraints::sparse(points, {&required(rows, "rows"), count}, {&required(places, "places"), count},
                            {&required(weights, "weights"), count}, input(values), noise_variance)));
  });
}

nouq_status nouq_new_arrays(nouq_arrays* arrays) {
  return guarded([&] {
    required(arrays, "arrays") = 0;
    *arrays = array_sets().insert(std::make_shared<NamedArrays>());
  });
}

nouq_status nouq_set_array(nouq_arrays arrays, const char* name, const nouq_array* values) {
  return guarded([&] {
    const auto named = find_arrays(arrays);
    Array<double> copy = to_array(required_text(name, "name"), input(&required(values, "values")));
    const std::lock_guard lock(named->mutex);
    named->arrays[name] = std::move(copy);
  });
}

nouq_status nouq_free_arrays(nouq_arrays arrays) {
  return guarded([&] {
    if (array_sets().remove(arrays) == nullptr) throw BadHandle{no_arrays};
  });
}

static void keep(Constraints constraints, nouq_constraints& handle) {
  handle = constraint_sets().insert(std::make_shared<const Constraints>(std::move(constraints)));
}

nouq_status nouq_law_of(nouq_model model, nouq_arrays values, nouq_constraints* constraints) {
  return guarded([&] {
    required(constraints, "constraints") = 0;
    const auto known = find_model(model);
    keep(with_arrays(values, [&](const NamedInputs& inputs) { return Constraints::of(*known, inputs); }),
         *constraints);
  });
}

nouq_status nouq_constraints_from_toml(nouq_model model, const char* text, nouq_arrays arrays,
                                       double noise_variance, nouq_constraints* constraints) {
  return guarded([&] {
    required(constraints, "constraints") = 0;
    const std::string toml = required_text(text, "text");
    const auto known = model == 0 ? nullptr : find_model(model);
    keep(with_arrays(arrays,
                     [&](const NamedInputs& inputs) {
                       return known == nullptr
                                  ? Constraints::from_toml(toml, inputs, noise_variance)
                                  : Constraints::from_toml(fields_of(*known), toml, inputs, noise_variance);
                     }),
         *constraints);
  });
}

nouq_status nouq_constraint_rows(nouq_constraints constraints, int64_t* rows) {
  return guarded([&] { required(rows, "rows") = find_constraints(constraints)->rows(); });
}

nouq_status nouq_noise_variances(nouq_constraints constraints, double* variances, int64_t count) {
  return guarded([&] {
    const std::vector<double> values = find_constraints(constraints)->noise_variances();
    require(count == static_cast<int64_t>(values.size()), "room for {} variances: there are {} rows", count,
            values.size());
    if (count > 0) std::copy(values.begin(), values.end(), &required(variances, "variances"));
  });
}

nouq_status nouq_free_constraints(nouq_constraints constraints) {
  return guarded([&] {
    if (constraint_sets().remove(constraints) == nullptr) throw BadHandle{no_constraints};
  });
}

// `fill` sets the options, which may take memory as well.
template <class Fill>
static nouq_status project_with(nouq_constraints constraints, const nouq_fields* prediction,
                                const nouq_fields* projected, Fill&& fill) {
  return guarded([&] {
    ProjectOptions options;
    fill(options);
    const auto set = find_constraints(constraints);
    const nouq_fields& in = required(prediction, "prediction");
    const nouq_fields& out = required(projected, "projected");
    project(*set, {input(in.mean), input(in.deviation), input(in.samples)},
            {output(out.mean, "projected mean"), output(out.deviation, "projected deviation"),
             output(out.samples, "projected samples")},
            options);
  });
}

nouq_status nouq_project(nouq_constraints constraints, const nouq_fields* prediction,
                         const nouq_fields* projected, double diagonal_share, const char* independent_axis) {
  return project_with(constraints, prediction, projected, [&](ProjectOptions& options) {
    options.diagonal_share = diagonal_share;
    if (independent_axis != nullptr) options.independent_axis = independent_axis;
  });
}

nouq_status nouq_project_within(nouq_constraints constraints, const nouq_fields* prediction,
                                const nouq_fields* projected, double lower, double upper) {
  return project_with(constraints, prediction, projected, [&](ProjectOptions& options) {
    options.lower = lower;
    options.upper = upper;
  });
}

nouq_status nouq_project_as(nouq_constraints constraints, const nouq_fields* prediction,
                            const nouq_fields* projected, const char* preset, const nouq_array* lower,
                            const nouq_array* upper) {
  return project_with(constraints, prediction, projected, [&](ProjectOptions& options) {
    if (preset != nullptr) options.preset = preset;
    options.lower_bounds = input(lower);
    options.upper_bounds = input(upper);
  });
}

nouq_status nouq_metric(const char* name, const nouq_array* mean, const nouq_array* deviation,
                        const nouq_array* truth, const nouq_array* weights, const nouq_array* values,
                        double* value, double* per_sample) {
  return guarded([&] {
    double& place = required(value, "value");
    const MetricValue result =
        metric(required_text(name, "name"),
               {input(mean), input(deviation), input(truth), input(weights), input(values)});
    place = result.value;
    if (per_sample != nullptr) std::copy(result.per_sample.begin(), result.per_sample.end(), per_sample);
  });
}
