// Training: settings from Python's keywords, progress to Python. The names, checks and documentation of the
// settings are the library's (nouq/train.h).
#include <algorithm>
#include <atomic>
#include <limits>

#include <nouq/train.h>

#include "arrays.h"
#include "module.h"

namespace nouq::python {
namespace {

OptionScalar scalar(const char* name, const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value)) return value.cast<std::int64_t>();
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::hasattr(value, "__fspath__")) return py::str(value.attr("__fspath__")()).cast<std::string>();
  if (py::hasattr(value, "__index__")) return value.attr("__index__")().cast<std::int64_t>();  // of numpy
  if (py::hasattr(value, "__float__")) return value.attr("__float__")().cast<double>();
  throw py::type_error(std::string(name) + " = " + py::repr(value).cast<std::string>() +
                       ": not of the expected type");
}

OptionValue option_value(const std::string& name, const py::handle& value) {
  if (value.is_none()) return {};
  const bool list = py::isinstance<py::sequence>(value) && !py::isinstance<py::str>(value);
  if (!list) return std::vector<OptionScalar>{scalar(name.c_str(), value)};
  std::vector<OptionScalar> items;
  for (const py::handle& item : value) items.push_back(scalar(name.c_str(), item));
  return items;
}

// A seed may have all its 64 bits.
void set(TrainSettings& settings, const std::string& name, const py::handle& value) {
  if (name == "seed") {
    if (!py::hasattr(value, "__index__"))
      throw py::type_error("seed = " + py::repr(value).cast<std::string>() + ": expected a whole number");
    const py::object number = value.attr("__index__")();
    require(number >= py::int_(0) && number <= py::int_(std::numeric_limits<std::uint64_t>::max()),
            "seed = {}: expected a whole number from 0 to 2^64 - 1", py::repr(number).cast<std::string>());
    settings.seed = number.cast<std::uint64_t>();
  } else if (name == "from" && py::isinstance<Model>(value)) {
    settings.from_model = std::make_shared<const Model>(value.cast<const Model&>());
  } else if (name == "unlabelled" && !py::isinstance<py::str>(value)) {
    settings.unlabelled_inputs = to_array<float>("unlabelled", py::reinterpret_borrow<py::object>(value));
  } else {
    set_option(settings, name, option_value(name, value));
  }
}

TrainSettings settings_of(const py::dict& given) {
  const std::vector<SettingInfo> known = train_settings();
  TrainSettings settings;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    const auto found = std::find_if(known.begin(), known.end(), [&](const SettingInfo& one) {
      return one.keyword.starts_with(name + ":");
    });
    if (found == known.end())
      throw py::type_error("train() has no option " + py::repr(key).cast<std::string>());
    if (!value.is_none()) set(settings, found->name, value);
  }
  return settings;
}

// Tells a Python function of every epoch; a signal (Ctrl-C) or an exception in the function stops training.
Progress progress_of(const py::object& tell) {
  Progress progress;
  if (!tell.is_none()) {
    progress.on_epoch = [tell](const EpochReport& e) {
      const py::gil_scoped_acquire held;
      tell(e.network, e.networks, e.epoch, e.epochs, e.train_loss, e.validation_loss, e.best_epoch);
      return true;
    };
  }
  progress.should_stop = [asked = std::make_shared<std::atomic<unsigned>>(0)] {
    if (++*asked % 8 != 0) return false;
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return false;
  };
  return progress;
}

Model train_model(const DataSet& data, const DataSet* validation, const py::dict& given,
                  const py::object& tell) {
  const TrainSettings settings = settings_of(given);
  const Progress progress = progress_of(tell);
  const py::gil_scoped_release free;
  return validation == nullptr ? train(data, settings, progress)
                               : train(data, *validation, settings, progress);
}

py::list list_settings() {
  py::list list;
  for (const SettingInfo& one : train_settings())
    list.append(py::make_tuple(one.keyword.substr(0, one.keyword.find(':')), one.keyword, one.help,
                               one.paragraph, one.group));
  return list;
}

}  // namespace

void bind_training(py::module_& module) {
  module.def("method_names", &method_names);
  module.def("train_settings", &list_settings);
  module.def("train", &train_model, py::arg("data"), py::arg("validation").none(true), py::arg("options"),
             py::arg("tell"));
}

}  // namespace nouq::python
