// Writes the models that the tests of other languages and the examples use, and what C++ predicts with them:
//   a_fno2d.nouq, b_diverse.nouq   the authors' golden networks; inputs (float32), mean, deviation and
//   samples
//                                  (float64) beside them as plain numbers, row-major
//   heat.nouq                      a small DiverseNO of the heat equation, with trust
//
//   nouq_make_models FOLDER
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "core/file.h"
#include "data/generate.h"
#include "data/split.h"
#include "model/model_file.h"
#include "physics/trust_evidence.h"
#include "support/released_models.h"
#include "uq/fit.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

template <class T>
void dump(const fs::path& path, const Array<T>& values) {
  const auto bytes = std::as_bytes(values.span());
  write_file_atomically(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void write_golden(const fs::path& folder, const std::string& name, const Surrogate& surrogate) {
  const Array<float> inputs = test::released_inputs(name);
  Prediction p = predict(surrogate, inputs.view(), {.samples = true, .threads = 1});
  for (double& value : p.variance) value = std::sqrt(value);
  save_model(surrogate, folder / (name + ".nouq"));
  dump(folder / (name + ".inputs"), inputs);
  dump(folder / (name + ".mean"), p.mean);
  dump(folder / (name + ".deviation"), p.variance);
  dump(folder / (name + ".samples"), p.samples);
}

// Few and short: what the examples show is how to ask, not how good the answer is.
void write_heat(const fs::path& folder) {
  const auto problem = make_problem("heat");
  const DataSet data = generate_data_set(*problem, {120, 1, problem->range(Shift::in_domain), {}, 1});
  const Split parts = split(data.size(), {80, 40, 0}, 0);
  const DataSet train = select(data, parts.train), validation = select(data, parts.validation);
  FitOptions options;
  options.method.set("count", 4);
  options.train.network.width = 12;
  options.train.network.modes = {6, 6};
  options.train.epochs = 30;
  options.train.schedule = {.kind = ScheduleKind::one_cycle, .base_rate = 5e-3};
  options.threads = 1;
  Surrogate surrogate = fit(options, train, validation).value();
  calibrate_trust({}, validation, predict(surrogate, validation.inputs.view(), {.threads = 1}), surrogate);
  save_model(surrogate, folder / "heat.nouq");
}

}  // namespace
}  // namespace nouq

int main(int count, char** arguments) {
  if (count != 2) return 2;
  try {
    const std::filesystem::path folder = arguments[1];
    std::filesystem::create_directories(folder);
    nouq::write_golden(folder, "a_fno2d", nouq::test::released_single());
    nouq::write_golden(folder, "b_diverse", nouq::test::released_diverse());
    nouq::write_heat(folder);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
