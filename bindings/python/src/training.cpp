// Training: options from Python, progress to Python.
#include <atomic>

#include "api/shared_model.h"
#include "arrays.h"
#include "module.h"
#include "physics/evaluation.h"
#include "physics/physics.h"
#include "uq/defaults.h"
#include "uq/fit.h"

namespace nouq::python {
namespace {

// Tells a Python function of every epoch; a signal (Ctrl-C) or an exception in the function stops training.
class Progress final : public FitObserver {
 public:
  explicit Progress(py::object tell) : tell_(std::move(tell)) {}

  void on_start(std::span<const double> costs, Index epochs) override {
    networks_ = static_cast<Index>(costs.size());
    epochs_ = epochs;
  }
  void on_epoch(Index network, const EpochRecord& record, Index best_epoch) override {
    if (tell_.is_none()) return;
    const py::gil_scoped_acquire held;
    guarded([&] {
      tell_(network, networks_, record.epoch, epochs_, record.train_loss, record.validation_loss, best_epoch);
    });
  }
  bool should_stop() override {
    if (!stop_ && ++asked_ % 8 == 0) {
      const py::gil_scoped_acquire held;
      guarded([] {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      });
    }
    return stop_;
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class Body>
  void guarded(Body&& body) {
    try {
      body();
    } catch (const py::error_already_set&) {
      if (!error_) error_ = std::current_exception();
      stop_ = true;
    }
  }

  py::object tell_;
  std::exception_ptr error_;
  std::atomic<bool> stop_ = false;
  std::atomic<unsigned> asked_ = 0;
  Index networks_ = 0;
  Index epochs_ = 0;
};

// Takes entries from a dict and complains about those nobody took.
class Options {
 public:
  explicit Options(const py::dict& given) : given_(given.attr("copy")()) {}

  template <class T>
  void take(const char* name, T& value) {
    if (!given_.contains(name)) return;
    try {
      value = given_[name].cast<T>();
    } catch (const py::cast_error&) {
      throw py::type_error(
          fmt::format("{} = {}: not of the expected type", name, py::repr(given_[name]).cast<std::string>()));
    }
    given_.attr("pop")(name);
  }
  void finish() const {
    if (given_.empty()) return;
    throw py::type_error("train() has no option " + py::repr(py::list(given_)[0]).cast<std::string>());
  }

 private:
  py::dict given_;
};

// One number for every axis, or one each.
void take_per_axis(Options& options, const char* name, std::vector<Index>& values) {
  py::object given = py::none();
  options.take(name, given);
  if (given.is_none()) return;
  if (py::isinstance<py::int_>(given)) {
    values.assign(values.size(), given.cast<Index>());
  } else {
    values = given.cast<std::vector<Index>>();
  }
}

void take_network(Options& options, NetworkOptions& network) {
  std::vector<Index> padding;
  for (const Padding& axis : network.padding) padding.push_back(axis.points);
  take_per_axis(options, "modes", network.modes);
  take_per_axis(options, "padding", padding);
  network.padding.clear();
  for (const Index points : padding) network.padding.push_back({points, std::nullopt});
  options.take("width", network.width);
  options.take("blocks", network.blocks);
  options.take("features", network.features);
}

// A choice by its name.
template <class Choice>
void take_named(Options& options, const char* entry, Choice& value, Choice (*from_name)(std::string_view)) {
  std::optional<std::string> given;
  options.take(entry, given);
  if (given) value = from_name(*given);
}

void take_method(Options& options, MethodOptions& method) {
  options.take("method", method.name);
  options.take("count", method.count);
  options.take("dropout", method.dropout);
  take_named(options, "diversity", method.diversity.kind, diversity_from_name);
  options.take("strength", method.diversity.strength);
  options.take("bound", method.diversity.bound);
  options.take("warmup", method.diversity.warmup);
  options.take("sampled", method.diversity.sampled);
  take_named(options, "laplace", method.laplace.covariance, laplace_covariance_from_name);
  options.take("count_points", method.laplace.count_points);
  options.take("add_noise", method.laplace.add_noise);
}

FitOptions fit_options(const py::dict& given, const DataSet& data, Array<float>& unlabelled) {
  Options options(given);
  Index epochs = 200;
  options.take("epochs", epochs);
  FitOptions fit = default_fit(data, epochs);
  take_method(options, fit.method);
  take_network(options, fit.train.network);
  options.take("batch", fit.train.batch);
  options.take("rate", fit.train.schedule.base_rate);
  options.take("weight_decay", fit.train.weight_decay);
  options.take("patience", fit.train.patience);
  options.take("seed", fit.train.seed);
  options.take("normalise", fit.normalise);
  options.take("threads", fit.threads);
  std::string text;
  options.take("folder", text);
  fit.folder = text;
  take_named(options, "schedule", fit.train.schedule.kind, schedule_from_name);
  py::object inputs = py::none();
  options.take("unlabelled", inputs);
  unlabelled = to_array<float>("unlabelled", inputs);
  if (!inputs.is_none()) fit.train.unlabelled = &unlabelled;
  options.finish();
  return fit;
}

std::shared_ptr<SharedModel> train(const DataSet& data, const DataSet& validation, const py::dict& given,
                                   const py::object& tell) {
  Array<float> unlabelled;
  const FitOptions options = fit_options(given, data, unlabelled);
  for (const DataSet* set : {&data, &validation})
    (void)physics_of(*set);  // a wrong law is said before the work
  Progress progress(tell);
  std::optional<Surrogate> surrogate;
  {
    const py::gil_scoped_release free;
    surrogate = fit(options, data, validation, &progress);
    if (surrogate)
      calibrate(affordable({}, validation.size()), data, validation, options.threads, *surrogate);
  }
  progress.rethrow();
  return std::make_shared<SharedModel>(std::move(*surrogate));
}

}  // namespace

void bind_training(py::module_& module) {
  module.def("method_names", &method_names);
  module.def("train", &train, py::arg("data"), py::arg("validation"), py::arg("options"), py::arg("tell"));
}

}  // namespace nouq::python
